use sqlx::{Connection, PgConnection};
use testkit::other_keys;

use crate::Counters;

const GOOD: &str = "
    CREATE TABLE good (business_id uuid PRIMARY KEY);
    CREATE TABLE part (business_id uuid REFERENCES good (business_id), id int, during int4range, name text,
        PRIMARY KEY (business_id, id), UNIQUE (business_id, name),
        CONSTRAINT part_overlap EXCLUDE USING gist (business_id WITH =, during WITH &&));
    CREATE UNIQUE INDEX part_name ON part (business_id, lower(name)) WHERE id > 0;
    CREATE INDEX part_plain ON part (name);
    CREATE TABLE detail (business_id uuid, id int, part_id int, PRIMARY KEY (business_id, id),
        FOREIGN KEY (business_id, part_id) REFERENCES part (business_id, id));
    CREATE TABLE installation (id int PRIMARY KEY);";

/// Each statement breaks one rule, under the name that is to be found.
const BROKEN: [(&str, &str); 10] = [
    ("wrong_primary", "CREATE TABLE t (business_id uuid, id int, CONSTRAINT wrong_primary PRIMARY KEY (id, business_id))"),
    ("wrong_unique", "ALTER TABLE part ADD CONSTRAINT wrong_unique UNIQUE (name, business_id)"),
    ("wrong_index", "CREATE UNIQUE INDEX wrong_index ON part (lower(name)) WHERE id > 0"),
    ("wrong_exclusion", "ALTER TABLE part ADD CONSTRAINT wrong_exclusion EXCLUDE USING gist (id WITH =, during WITH &&)"),
    ("wrong_operator", "ALTER TABLE part ADD CONSTRAINT wrong_operator EXCLUDE USING gist (business_id WITH <>, id WITH =)"),
    ("wrong_order", "ALTER TABLE part ADD UNIQUE (business_id, id, name);
        ALTER TABLE detail ADD CONSTRAINT wrong_order FOREIGN KEY (part_id, business_id) REFERENCES part (id, business_id)"),
    ("wrong_place", "CREATE TABLE t (business_id uuid, id int, other uuid, PRIMARY KEY (business_id, id),
        CONSTRAINT wrong_place FOREIGN KEY (other, id) REFERENCES part (business_id, id))"),
    ("wrong_owner", "CREATE TABLE t (business_id uuid, id int CONSTRAINT wrong_owner REFERENCES installation, PRIMARY KEY (business_id, id))"),
    ("wrong_nullable", "CREATE TABLE wrong_nullable (business_id uuid)"),
    ("wrong_keyless", "CREATE TABLE wrong_keyless (business_id uuid NOT NULL)"),
];

#[tokio::test]
async fn a_key_that_does_not_begin_with_the_business_is_found_whatever_its_kind() {
    let database = testkit::database::<Counters>("tenancy").await;
    let mut superuser = PgConnection::connect(&database.superuser_url).await.unwrap();
    sqlx::raw_sql(GOOD).execute(&mut superuser).await.unwrap();
    assert_eq!(other_keys(&database).await, [""; 0]);
    for (name, sql) in BROKEN {
        let known = other_keys(&database).await;
        sqlx::raw_sql(sql).execute(&mut superuser).await.unwrap();
        let mut found = other_keys(&database).await;
        found.retain(|key| !known.contains(key));
        assert_eq!(found, [name], "{sql}");
        sqlx::raw_sql("DROP TABLE IF EXISTS t").execute(&mut superuser).await.unwrap();
    }
}
