/** Tables of Veramo's data store that nothing here reads or writes. */
export const UNUSED = {
  sqlite: `
CREATE TABLE credential (
  hash varchar PRIMARY KEY NOT NULL,
  raw TEXT NOT NULL,
  id varchar,
  "issuanceDate" datetime NOT NULL,
  "expirationDate" datetime,
  context TEXT NOT NULL,
  type TEXT NOT NULL,
  "issuerDid" varchar NOT NULL REFERENCES identifier (did) ON DELETE CASCADE,
  "subjectDid" varchar REFERENCES identifier (did)
);
CREATE TABLE presentation (
  hash varchar PRIMARY KEY NOT NULL,
  raw TEXT NOT NULL,
  id varchar,
  "issuanceDate" datetime,
  "expirationDate" datetime,
  context TEXT NOT NULL,
  type TEXT NOT NULL,
  "holderDid" varchar
);
CREATE TABLE claim (
  hash varchar PRIMARY KEY NOT NULL,
  "issuanceDate" datetime NOT NULL,
  "expirationDate" datetime,
  context TEXT NOT NULL,
  "credentialType" TEXT NOT NULL,
  value TEXT NOT NULL,
  type varchar NOT NULL,
  "isObj" boolean NOT NULL,
  "issuerDid" varchar REFERENCES identifier (did) ON DELETE CASCADE,
  "subjectDid" varchar REFERENCES identifier (did),
  "credentialHash" varchar NOT NULL REFERENCES credential (hash) ON DELETE CASCADE
);
CREATE TABLE message (
  id varchar PRIMARY KEY NOT NULL,
  "saveDate" datetime NOT NULL,
  "updateDate" datetime NOT NULL,
  "createdAt" datetime,
  "expiresAt" datetime,
  "threadId" varchar,
  type varchar,
  raw varchar,
  data TEXT,
  "replyTo" TEXT,
  "replyUrl" varchar,
  "metaData" TEXT,
  "fromDid" varchar REFERENCES identifier (did),
  "toDid" varchar REFERENCES identifier (did)
);
CREATE TABLE message_credentials_credential (
  "messageId" varchar NOT NULL REFERENCES message (id) ON DELETE CASCADE,
  "credentialHash" varchar NOT NULL REFERENCES credential (hash) ON DELETE CASCADE,
  PRIMARY KEY ("messageId", "credentialHash")
);
CREATE INDEX "IDX_1f64a9d131c0f7245a90deee93"
  ON message_credentials_credential ("messageId", "credentialHash");
CREATE TABLE message_presentations_presentation (
  "messageId" varchar NOT NULL REFERENCES message (id) ON DELETE CASCADE,
  "presentationHash" varchar NOT NULL REFERENCES presentation (hash) ON DELETE CASCADE,
  PRIMARY KEY ("messageId", "presentationHash")
);
CREATE INDEX "IDX_9dc4cc025ec7163ec5ca919d14"
  ON message_presentations_presentation ("messageId", "presentationHash");
CREATE TABLE presentation_credentials_credential (
  "presentationHash" varchar NOT NULL REFERENCES presentation (hash) ON DELETE CASCADE,
  "credentialHash" varchar NOT NULL REFERENCES credential (hash) ON DELETE CASCADE,
  PRIMARY KEY ("presentationHash", "credentialHash")
);
CREATE INDEX "IDX_32d9cee791ee1139f29fd94b5c"
  ON presentation_credentials_credential ("presentationHash", "credentialHash");
CREATE TABLE presentation_verifier_identifier (
  "presentationHash" varchar NOT NULL REFERENCES presentation (hash) ON DELETE CASCADE,
  "identifierDid" varchar NOT NULL REFERENCES identifier (did) ON DELETE CASCADE,
  PRIMARY KEY ("presentationHash", "identifierDid")
);
CREATE INDEX "IDX_c3b760612b992bc75511d74f6a"
  ON presentation_verifier_identifier ("presentationHash", "identifierDid");
`,
  postgres: `
CREATE TABLE credential (
  "hash" character varying NOT NULL,
  "raw" text NOT NULL,
  "id" character varying,
  "issuanceDate" timestamp without time zone NOT NULL,
  "expirationDate" timestamp without time zone,
  "context" text NOT NULL,
  "type" text NOT NULL,
  "issuerDid" character varying NOT NULL,
  "subjectDid" character varying,
  CONSTRAINT "FK_123d0977e0976565ee0932c0b9e" FOREIGN KEY ("issuerDid") REFERENCES identifier(did) ON DELETE CASCADE,
  CONSTRAINT "FK_b790831f44e2fa7f9661a017b0a" FOREIGN KEY ("subjectDid") REFERENCES identifier(did),
  CONSTRAINT "PK_32ea339ef30d340caac7961bd44" PRIMARY KEY (hash)
);
CREATE TABLE presentation (
  "hash" character varying NOT NULL,
  "raw" text NOT NULL,
  "id" character varying,
  "issuanceDate" timestamp without time zone,
  "expirationDate" timestamp without time zone,
  "context" text NOT NULL,
  "type" text NOT NULL,
  "holderDid" character varying,
  CONSTRAINT "FK_a5e418449d9f527776a3bd0ca61" FOREIGN KEY ("holderDid") REFERENCES identifier(did) ON DELETE CASCADE,
  CONSTRAINT "PK_8731bc1d6170def561c4820364b" PRIMARY KEY (hash)
);
CREATE TABLE claim (
  "hash" character varying NOT NULL,
  "issuanceDate" timestamp without time zone NOT NULL,
  "expirationDate" timestamp without time zone,
  "context" text NOT NULL,
  "credentialType" text NOT NULL,
  "value" text NOT NULL,
  "type" character varying NOT NULL,
  "isObj" boolean NOT NULL,
  "issuerDid" character varying,
  "subjectDid" character varying,
  "credentialHash" character varying NOT NULL,
  CONSTRAINT "FK_3d494b79143de3d0e793883e351" FOREIGN KEY ("credentialHash") REFERENCES credential(hash) ON DELETE CASCADE,
  CONSTRAINT "FK_d972c73d0f875c0d14c35b33baa" FOREIGN KEY ("issuerDid") REFERENCES identifier(did) ON DELETE CASCADE,
  CONSTRAINT "FK_f411679379d373424100a1c73f4" FOREIGN KEY ("subjectDid") REFERENCES identifier(did),
  CONSTRAINT "PK_d8d95bd745ab41510c724a43c36" PRIMARY KEY (hash)
);
CREATE TABLE message (
  "id" character varying NOT NULL,
  "saveDate" timestamp without time zone NOT NULL,
  "updateDate" timestamp without time zone NOT NULL,
  "createdAt" timestamp without time zone,
  "expiresAt" timestamp without time zone,
  "threadId" character varying,
  "type" character varying,
  "raw" character varying,
  "data" text,
  "replyTo" text,
  "replyUrl" character varying,
  "metaData" text,
  "fromDid" character varying,
  "toDid" character varying,
  CONSTRAINT "FK_1a666b2c29bb2b68d91259f55df" FOREIGN KEY ("toDid") REFERENCES identifier(did),
  CONSTRAINT "FK_63bf73143b285c727bd046e6710" FOREIGN KEY ("fromDid") REFERENCES identifier(did),
  CONSTRAINT "PK_ba01f0a3e0123651915008bc578" PRIMARY KEY (id)
);
CREATE TABLE message_credentials_credential (
  "messageId" character varying NOT NULL,
  "credentialHash" character varying NOT NULL,
  CONSTRAINT "FK_1c111357e73db91a08525914b59" FOREIGN KEY ("messageId") REFERENCES message(id) ON DELETE CASCADE,
  CONSTRAINT "FK_8ae8195a94b667b185d2c023e33" FOREIGN KEY ("credentialHash") REFERENCES credential(hash) ON DELETE CASCADE,
  CONSTRAINT "PK_1f64a9d131c0f7245a90deee93f" PRIMARY KEY ("messageId", "credentialHash")
);
CREATE TABLE message_presentations_presentation (
  "messageId" character varying NOT NULL,
  "presentationHash" character varying NOT NULL,
  CONSTRAINT "FK_7e7094f2cd6e5ec93914ac5138f" FOREIGN KEY ("messageId") REFERENCES message(id) ON DELETE CASCADE,
  CONSTRAINT "FK_a13b5cf828c669e61faf489c182" FOREIGN KEY ("presentationHash") REFERENCES presentation(hash) ON DELETE CASCADE,
  CONSTRAINT "PK_9dc4cc025ec7163ec5ca919d140" PRIMARY KEY ("messageId", "presentationHash")
);
CREATE TABLE presentation_credentials_credential (
  "presentationHash" character varying NOT NULL,
  "credentialHash" character varying NOT NULL,
  CONSTRAINT "FK_d796bcde5e182136266b2a6b72c" FOREIGN KEY ("presentationHash") REFERENCES presentation(hash) ON DELETE CASCADE,
  CONSTRAINT "FK_ef88f92988763fee884c37db63b" FOREIGN KEY ("credentialHash") REFERENCES credential(hash) ON DELETE CASCADE,
  CONSTRAINT "PK_32d9cee791ee1139f29fd94b5c4" PRIMARY KEY ("presentationHash", "credentialHash")
);
CREATE TABLE presentation_verifier_identifier (
  "presentationHash" character varying NOT NULL,
  "identifierDid" character varying NOT NULL,
  CONSTRAINT "FK_05b1eda0f6f5400cb173ebbc086" FOREIGN KEY ("presentationHash") REFERENCES presentation(hash) ON DELETE CASCADE,
  CONSTRAINT "FK_3a460e48557bad5564504ddad90" FOREIGN KEY ("identifierDid") REFERENCES identifier(did) ON DELETE CASCADE,
  CONSTRAINT "PK_c3b760612b992bc75511d74f6a9" PRIMARY KEY ("presentationHash", "identifierDid")
);
CREATE INDEX "IDX_1f64a9d131c0f7245a90deee93" ON message_credentials_credential USING btree ("messageId", "credentialHash");
CREATE INDEX "IDX_9dc4cc025ec7163ec5ca919d14" ON message_presentations_presentation USING btree ("messageId", "presentationHash");
CREATE INDEX "IDX_32d9cee791ee1139f29fd94b5c" ON presentation_credentials_credential USING btree ("presentationHash", "credentialHash");
CREATE INDEX "IDX_c3b760612b992bc75511d74f6a" ON presentation_verifier_identifier USING btree ("presentationHash", "identifierDid");
`,
}
