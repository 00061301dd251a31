/** An object that `agent.yml` may name, and where its options are described. */
export interface ConfiguredObject {
  /** as `$require` names it */
  reference: string
  /** which of its `$args` the options are, from 0 */
  argument: number
  /** the folder of its sources */
  folder: string
  /** the file in there that says what it is */
  file: string
  /** the file that has `Options`, their schema, and the interface that describes them */
  optionsFile: string
  interfaceName: string
}

const object = (
  reference: string,
  argument: number,
  file: string,
  interfaceName: string,
  optionsFile = file,
): ConfiguredObject => ({
  reference,
  argument,
  folder: `packages/${/^@vidimus\/([\w-]+)/.exec(reference)?.[1] ?? ''}/src`,
  file,
  optionsFile,
  interfaceName,
})

/** In the order of `agent.yml`; what is named there and takes no options stands in {@link WITHOUT_OPTIONS}. */
export const CONFIGURED_OBJECTS: readonly ConfiguredObject[] = [
  object('@vidimus/database#Database', 0, 'database', 'DatabaseOptions', 'database-options'),
  object('@vidimus/accounts#Accounts', 1, 'accounts', 'AccountsOptions'),
  object('@vidimus/accounts#AuditLog', 1, 'audit-log', 'AuditLogOptions'),
  object('@vidimus/accounts#Quotas', 1, 'quotas', 'QuotasOptions'),
  object('@vidimus/account-events#Events', 2, 'events', 'EventsOptions', 'events-options'),
  object('@vidimus/kms-node#PrivateKeyEnvelope', 0, 'private-key-envelope', 'PrivateKeyEnvelopeOptions'),
  object('@vidimus/kms-node?t=function#loadSecrets', 0, 'load-secrets', 'SecretSource'),
  object(
    '@vidimus/kms-pkcs11#Pkcs11KeyManagementSystem',
    0,
    'pkcs11-key-management-system',
    'Pkcs11Options',
    'options',
  ),
  object(
    '@vidimus/kms-vault#VaultKeyManagementSystem',
    0,
    'vault-key-management-system',
    'VaultOptions',
    'options',
  ),
  object('@vidimus/publication#Publication', 0, 'publication', 'PublicationOptions', 'options'),
  object(
    '@vidimus/publisher-directory#DirectoryPublisher',
    0,
    'directory-publisher',
    'DirectoryPublisherOptions',
    'options',
  ),
  object('@vidimus/publisher-s3#S3Publisher', 0, 's3-publisher', 'S3PublisherOptions', 'options'),
  object('@vidimus/custody#DIDRotationPlugin', 1, 'rotation/did-rotation-plugin', 'DIDRotationOptions'),
  object('@vidimus/custody#WebDidPlugin', 1, 'web-did-plugin', 'WebDidPluginOptions'),
  object('@vidimus/custody#UnitOfWork', 1, 'unit-of-work', 'UnitOfWorkOptions'),
  object('@vidimus/idempotency#IdempotencyRecords', 2, 'idempotency-records', 'IdempotencyRecordsOptions'),
  object('@vidimus/ledger-local#EmbeddedLedger', 0, 'embedded-ledger', 'EmbeddedLedgerOptions'),
  object('@vidimus/ledger-cheqd#CheqdLedger', 0, 'cheqd-ledger', 'CheqdLedgerOptions', 'options'),
  object('@vidimus/did-provider-cheqd#CheqdDIDProvider', 0, 'cheqd-did-provider', 'CheqdDIDProviderOptions'),
  object(
    '@vidimus/did-provider-cheqd?t=function&p=/cheqd#getCheqdDidResolver',
    0,
    'cheqd-did-resolver',
    'CheqdDidResolverOptions',
  ),
  object(
    '@vidimus/did-resolver-web?t=function&p=/web#getWebDidResolver',
    0,
    'web-did-resolver',
    'WebDidResolverOptions',
  ),
  object(
    '@vidimus/did-resolver-webvh?t=function&p=/webvh#getWebvhDidResolver',
    0,
    'webvh-did-resolver',
    'WebvhDidResolverOptions',
  ),
  object('@vidimus/status-list-store#StatusListStore', 0, 'status-list-store', 'StatusListStoreOptions'),
  object('@vidimus/custody#DIDCreationPlugin', 1, 'did-creation-plugin', 'DIDCreationOptions'),
  object(
    '@vidimus/did-provider-cheqd#CheqdLedgerPlugin',
    0,
    'cheqd-ledger-plugin',
    'CheqdLedgerPluginOptions',
  ),
  object('@vidimus/did-provider-cheqd#LedgerBankPlugin', 0, 'ledger-bank-plugin', 'LedgerBankPluginOptions'),
  object(
    '@vidimus/credentials?t=function#dataIntegrity',
    0,
    'data-integrity/data-integrity-credentials',
    'DataIntegrityOptions',
    'data-integrity/contexts',
  ),
  object(
    '@vidimus/certificates#CertificatesPlugin',
    0,
    'certificates-plugin',
    'CertificatesPluginOptions',
    'plugin-options',
  ),
  object('@vidimus/credentials#CredentialsPlugin', 0, 'credentials-plugin', 'CredentialsPluginOptions'),
  object('@vidimus/presentation#PresentationPlugin', 0, 'presentation-plugin', 'PresentationPluginOptions'),
  object(
    '@vidimus/status-list#StatusListPlugin',
    0,
    'status-list-plugin',
    'StatusListPluginOptions',
    'plugin-options',
  ),
  object('@vidimus/oidc#IdentityProviders', 1, 'identity-providers', 'IdentityProvidersOptions', 'options'),
  object('@vidimus/tracing#Tracing', 0, 'tracing', 'TracingOptions', 'options'),
  object('@vidimus/remote-server#RemoteServer', 0, 'remote-server', 'RemoteServerOptions', 'options'),
]

/** Their `$args` are other objects, in an order that `agent.yml` shows, or there are none. */
export const WITHOUT_OPTIONS: readonly string[] = [
  '@vidimus/custody?t=object#migrations',
  '@vidimus/ledger-local?t=object#migrations',
  '@vidimus/ledger-cheqd?t=object#migrations',
  '@vidimus/status-list-store?t=object#migrations',
  '@vidimus/publication?t=object#migrations',
  '@vidimus/oidc?t=object#migrations',
  '@vidimus/custody#AccountKeyStore',
  '@vidimus/custody#AccountPrivateKeyStore',
  '@vidimus/custody#AccountDIDStore',
  '@vidimus/kms-node#NodeKeyManagementSystem',
  '@vidimus/custody?t=function#inOneUnit',
  '@vidimus/did-methods#KeyDIDProvider',
  '@vidimus/did-methods#JwkDIDProvider',
  '@vidimus/did-methods#WebDIDProvider',
  '@vidimus/did-methods?t=function&p=/key#getKeyDidResolver',
  '@vidimus/did-resolver-jwk?t=function&p=/jwk#getJwkDidResolver',
  '@vidimus/custody#HoldingsPlugin',
  '@vidimus/custody#KeyCertificates',
  '@vidimus/accounts#ApiKeyPlugin',
  '@vidimus/accounts#AccountUsagePlugin',
  '@vidimus/accounts#AccountAuditPlugin',
  '@vidimus/accounts#OperatorPlugin',
  '@vidimus/work#WorkPlugin',
  '@vidimus/account-events#AccountEventsPlugin',
  '@vidimus/credentials#DIDJwtPlugin',
  '@vidimus/credentials?t=object#JwtCredentials',
  '@vidimus/credentials?t=object#JoseCredentials',
  '@vidimus/credentials?t=object#SdJwtVcCredentials',
  '@vidimus/credentials?t=object#SdJwtCredentials',
  '@vidimus/agent-config#ServiceAgent',
  '@vidimus/status-list?t=object#StatusList2021',
  '@vidimus/status-list?t=object#BitstringStatusList',
  '@vidimus/status-list?t=object#TokenStatusList',
]
