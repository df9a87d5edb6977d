-- Chats in which a person tries the agent: what each runs on, and nothing of what is said.
CREATE TABLE agent_chat (
    business_id uuid NOT NULL CONSTRAINT agent_chat_business REFERENCES business (business_id),
    id uuid NOT NULL,
    started_by text NOT NULL,
    started_at timestamptz NOT NULL,
    draft boolean NOT NULL,
    version integer NOT NULL,
    agent jsonb NOT NULL,
    PRIMARY KEY (business_id, id)
);
CREATE INDEX agent_chat_recent ON agent_chat (business_id, started_by, started_at);
CREATE INDEX agent_chat_age ON agent_chat (started_at);
-- That there was one is noted; that it is old is none of a person's doing.
CREATE TRIGGER note_change AFTER INSERT ON agent_chat FOR EACH ROW EXECUTE FUNCTION note_change('{agent}');
