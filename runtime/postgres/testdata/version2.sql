-- A store of version 2, with a lease of 2 seconds, as pg_dump --inserts wrote it, without its schema: run done has ended, and the process of run open was killed.

CREATE TABLE agentc_blocks (
    run text NOT NULL COLLATE pg_catalog."C",
    pos bigint NOT NULL,
    data bytea NOT NULL
);

CREATE TABLE agentc_messages (
    id bigint NOT NULL,
    run text NOT NULL COLLATE pg_catalog."C",
    data bytea NOT NULL
);

ALTER TABLE agentc_messages ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME agentc_messages_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE agentc_runs (
    run text NOT NULL COLLATE pg_catalog."C",
    fence bigint NOT NULL,
    expires bigint NOT NULL,
    program text DEFAULT ''::text NOT NULL,
    agent text DEFAULT ''::text NOT NULL,
    status text DEFAULT ''::text NOT NULL,
    begun bigint DEFAULT 0 NOT NULL,
    lease bigint DEFAULT 2000 NOT NULL
);

CREATE TABLE agentc_store (
    version bigint NOT NULL
);

INSERT INTO agentc_blocks VALUES ('done', 0, '\x6167656e7463206a6f75726e616c203220646f6e650a626c6b3a010000000000000023000000499d8bdb3bc913c101e4c1e0b00db8b3d9500008646f6e65020e70726f6772616d02700a6167656e740261');
INSERT INTO agentc_blocks VALUES ('done', 81, '\x626c6b3a02000000000000001200000017ee1d6bc806e7f005e4c1e0b00deecced77000a6d6f64656c00');
INSERT INTO agentc_blocks VALUES ('done', 123, '\x626c6b3a0300000000000000110000001eb34e38929775ce07e4c1e0b00dcde8ca7a0008646f6e6500');
INSERT INTO agentc_blocks VALUES ('open', 0, '\x6167656e7463206a6f75726e616c2032206f70656e0a626c6b3a010000000000000024000000c5df20832694c6c001e4c1e0b00de9fc9c820100086f70656e020e70726f6772616d02700a6167656e740261');
INSERT INTO agentc_blocks VALUES ('open', 82, '\x626c6b3a020000000000000013000000e9bef3f7c8d6672905e4c1e0b00dd3fbc08901000a6d6f64656c00');

INSERT INTO agentc_messages OVERRIDING SYSTEM VALUE VALUES (1, 'open', '\x61206d657373616765');

INSERT INTO agentc_runs VALUES ('done', 2611523894016310493, 0, 'p', 'a', 'done', 1795952754169236920, 2000);
INSERT INTO agentc_runs VALUES ('open', 1094620411763895214, 1795952756273, 'p', 'a', 'open', 1795952754273104489, 2000);

INSERT INTO agentc_store VALUES (2);

SELECT pg_catalog.setval('agentc_messages_id_seq', 1, true);

ALTER TABLE ONLY agentc_blocks
    ADD CONSTRAINT agentc_blocks_pkey PRIMARY KEY (run, pos);

ALTER TABLE ONLY agentc_messages
    ADD CONSTRAINT agentc_messages_pkey PRIMARY KEY (id);

ALTER TABLE ONLY agentc_runs
    ADD CONSTRAINT agentc_runs_pkey PRIMARY KEY (run);

CREATE INDEX agentc_messages_run ON agentc_messages USING btree (run);

CREATE INDEX agentc_runs_begun ON agentc_runs USING btree (begun);

CREATE INDEX agentc_runs_status ON agentc_runs USING btree (status, begun);

