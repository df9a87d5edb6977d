//! The demo businesses, as data.

use proto::frontdesk::scheduling::v1::SegmentKind::{self, Active, Processing};

/// Password of every demo account.
pub const PASSWORD: &str = "Frontdesk-demo-1";

/// "Willow & Co", the business of the demo accounts.
pub const WILLOW: &str = "01900000-0000-7000-8000-000000000001";
/// "Harbour Barbers", which they don't belong to.
pub const HARBOUR: &str = "01900000-0000-7000-8000-000000000002";
/// Willow's voice connection.
pub const CONNECTION: &str = "01900000-0000-7000-8000-0000000000c1";

/// A business.
pub struct Business {
    /// Fixed id.
    pub id: &'static str,
    /// Shown everywhere.
    pub name: &'static str,
    /// One line.
    pub address: &'static str,
    /// E.164.
    pub phone: &'static str,
    /// IANA.
    pub time_zone: &'static str,
    /// ISO 4217.
    pub currency: &'static str,
}

/// Both businesses.
pub const BUSINESSES: [Business; 2] = [
    Business {
        id: WILLOW,
        name: "Willow & Co",
        address: "14 Lamb's Conduit Street, London WC1N 3LE",
        phone: "+442079460014",
        time_zone: "Europe/London",
        currency: "GBP",
    },
    Business {
        id: HARBOUR,
        name: "Harbour Barbers",
        address: "3 Quay Lane, Bristol BS1 4RN",
        phone: "+441174960103",
        time_zone: "Europe/London",
        currency: "GBP",
    },
];

/// An account: local part of the e-mail, name, role at Willow ("" for none), ADMIN.
pub const ACCOUNTS: [(&str, &str, &str, bool); 5] = [
    ("admin", "Alex Morgan", "", true),
    ("owner", "Olivia Reed", "OWNER", false),
    ("manager", "Marcus Bell", "MANAGER", false),
    ("employee", "Mia Larsen", "EMPLOYEE", false),
    ("guest", "Grace Kim", "GUEST", false),
];

/// When Willow is open, in local hours, from Monday on; on Sundays it is closed.
pub const OPENING: [(i32, i32); 6] = [(9, 19), (9, 19), (9, 19), (9, 19), (9, 19), (9, 18)];

/// An employee of Willow, with ISO weekdays worked and hours from and to.
pub struct Employee {
    /// Shown everywhere.
    pub name: &'static str,
    /// The account's local part, or "".
    pub account: &'static str,
    /// ISO weekdays.
    pub weekdays: &'static [i32],
    /// Local hours.
    pub hours: (i32, i32),
}

/// Who works at Willow.
pub const EMPLOYEES: [Employee; 5] = [
    Employee { name: "Mia Larsen", account: "employee", weekdays: &[1, 2, 3, 4, 5], hours: (9, 17) },
    Employee { name: "Noah Adeyemi", account: "", weekdays: &[2, 3, 4, 5, 6], hours: (10, 18) },
    Employee { name: "Sofia Marino", account: "", weekdays: &[1, 2, 4, 5, 6], hours: (9, 18) },
    Employee { name: "Marcus Bell", account: "manager", weekdays: &[1, 3, 5], hours: (9, 15) },
    Employee {
        name: "Wilhelmina van der Bergh-Castellanos",
        account: "",
        weekdays: &[3, 4, 5, 6],
        hours: (11, 19),
    },
];

/// A service of Willow; employees by their place in [`EMPLOYEES`].
pub struct Service {
    /// Shown and spoken.
    pub name: &'static str,
    /// Heading in the list.
    pub category: &'static str,
    /// Kind and minutes.
    pub segments: &'static [(SegmentKind, i32)],
    /// Minutes kept free afterwards.
    pub buffer_after: i32,
    /// Pence.
    pub price: i32,
    /// What people say.
    pub aliases: &'static [&'static str],
    /// Places in [`EMPLOYEES`].
    pub employees: &'static [usize],
}

/// What Willow sells.
pub const SERVICES: [Service; 9] = [
    Service {
        name: "Women's cut & finish",
        category: "Hair",
        segments: &[(Active, 60)],
        buffer_after: 0,
        price: 6200,
        aliases: &["haircut", "cut and blow dry", "ladies cut", "trim"],
        employees: &[0, 1, 2, 4],
    },
    Service {
        name: "Men's cut",
        category: "Hair",
        segments: &[(Active, 30)],
        buffer_after: 0,
        price: 3400,
        aliases: &["gents cut", "short back and sides"],
        employees: &[0, 1, 3],
    },
    Service {
        name: "Full colour",
        category: "Hair",
        segments: &[(Active, 45), (Processing, 30), (Active, 45)],
        buffer_after: 5,
        price: 11800,
        aliases: &["colour", "tint", "dye my hair"],
        employees: &[0, 2, 4],
    },
    Service {
        name: "Root touch-up",
        category: "Hair",
        segments: &[(Active, 30), (Processing, 30), (Active, 30)],
        buffer_after: 5,
        price: 7400,
        aliases: &["roots", "regrowth"],
        employees: &[0, 2, 4],
    },
    Service {
        name: "Blow dry",
        category: "Hair",
        segments: &[(Active, 40)],
        buffer_after: 0,
        price: 3600,
        aliases: &["blowout", "styling"],
        employees: &[0, 1, 2, 4],
    },
    Service {
        name: "Beard trim",
        category: "Barbering",
        segments: &[(Active, 20)],
        buffer_after: 0,
        price: 1800,
        aliases: &["beard"],
        employees: &[1, 3],
    },
    Service {
        name: "Gel manicure",
        category: "Nails",
        segments: &[(Active, 50)],
        buffer_after: 5,
        price: 4200,
        aliases: &["nails", "shellac", "gels"],
        employees: &[2, 4],
    },
    Service {
        name: "Express pedicure",
        category: "Nails",
        segments: &[(Active, 35)],
        buffer_after: 5,
        price: 3900,
        aliases: &["pedi"],
        employees: &[2, 4],
    },
    Service {
        name: "Brow shape & tint",
        category: "Beauty",
        segments: &[(Active, 15), (Processing, 10), (Active, 10)],
        buffer_after: 0,
        price: 2600,
        aliases: &["eyebrows", "brows"],
        employees: &[3, 4],
    },
];

/// Customers of Willow; the telephone numbers are from the range kept for drama.
pub const CUSTOMERS: [&str; 24] = [
    "Ana Sousa",
    "Priya Natarajan",
    "Tom Whitfield",
    "Chloé Durand",
    "Jamal Osei",
    "Hannah Schmidt",
    "Lucía Fernández",
    "Oluwaseun Adebayo-Richardson",
    "Emma Clarke",
    "Yuki Tanaka",
    "Ben Carter",
    "Zofia Kowalska",
    "Isabella Rossi",
    "Liam O'Connor",
    "Fatima Rahman",
    "George Papadopoulos",
    "Nina Petrova",
    "Sam Taylor",
    "Amelia Wright",
    "Diego Morales",
    "Leah Goldberg",
    "Kofi Mensah",
    "Freya Nielsen",
    "Maximilian Featherstonehaugh-Cholmondeley",
];
