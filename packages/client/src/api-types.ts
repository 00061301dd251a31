// Made from the API document by `npm run generate`; changes go into the operations.

export interface paths {
  '/did/create': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Create a DID
     * @description Creates a DID and its DID document; the service keeps its key for the account.
     *     did:cheqd requires a `network`, unless `didDocument.id` names it. did:key and did:jwk take only `key` or
     *     `options.keyType`; did:web takes its DID from `didDocument.id`, such as `did:web:example.com`.
     *
     *     Scopes of API keys, one of: dids, did-create.
     */
    post: operations['did-create']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/did/import': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Import a DID
     * @description Imports a DID and its keys into the account. Every key is compared with the current DID document; if
     *     one of them does not match, nothing is imported. Importing it again has no effect.
     *
     *     Scopes of API keys, one of: dids, did-import.
     */
    post: operations['did-import']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/did/update': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Update a DID document
     * @description Replaces the given parts of the DID document: `service`, `verificationMethod`, `authentication`. Other parts
     *     are kept, including concurrent changes. A `didDocument` replaces the whole document. New keys must belong to
     *     the account (POST /key/create). POST /1.0/update adds and removes single entries.
     *
     *     Scopes of API keys, one of: dids, did-update.
     */
    post: operations['did-update']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/did/rotate-key': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Rotate the signing key of a DID
     * @description Adds a new key to the DID document, before the current one, and signs all status lists of the DID again with it.
     *     The former key stays in the document for what it has signed, and is then removed. This happens in the background, in any
     *     process: 202 means that the new key does not sign everything yet. Repeating the call meanwhile returns the same rotation.
     *
     *     Scopes of API keys, one of: dids, did-rotate-key.
     */
    post: operations['did-rotate-key']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/did/rotations/{did}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get the progress of a key rotation
     * @description The latest key rotation of the DID.
     *
     *     Scopes of API keys, one of: dids, read, did-rotation-read.
     */
    get: operations['did-rotation-read']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/did/deactivate/{did}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Deactivate a DID permanently
     * @description Deactivates a DID: it can no longer be changed or publish anything, and it resolves as deactivated. It stays in the account.
     *     This cannot be undone. Repeating the call gets the same response.
     *
     *     Scopes of API keys, one of: dids, did-deactivate.
     */
    post: operations['did-deactivate']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/did/list': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the DIDs of the account
     * @description Ordered by DID, or by alias or creation if filtered by these.
     *
     *     Scopes of API keys, one of: dids, read, did-list.
     */
    get: operations['did-list']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/did/read/{did}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Read a DID of the account
     * @description A DID of the account with its public keys and its services.
     *
     *     Scopes of API keys, one of: dids, read, did-read.
     */
    get: operations['did-read']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/did/search/{did}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Resolve a DID
     * @description The DID document of any DID that the service can resolve, whoever controls it.
     *
     *     Scopes of API keys, one of: dids, read, did-search.
     */
    get: operations['did-search']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/did/document/{did}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Read the DID document of a DID of the account
     * @description For a did:web it is the document to publish at `documentUrl`, built from the keys and services that the account holds. Under
     *     the public URL of the service it is published automatically; on another host you must publish it, and again after each
     *     change of keys or services. For any other DID it is the document as it resolves.
     *
     *     Scopes of API keys, one of: dids, read, did-document.
     */
    get: operations['did-document']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/key/create': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Create a key pair
     * @description Creates a key pair for the account; its private key never leaves its KMS.
     *
     *     Scopes of API keys, one of: keys, key-create.
     */
    post: operations['key-create']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/key/import': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Import a key pair
     * @description Imports a private key into the account. Importing the same key again returns the same response; an alias is unique within the account.
     *
     *     Scopes of API keys, one of: keys, key-import, keyManagerImport.
     */
    post: operations['key-import']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/key/kms': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the KMSs
     * @description The configured KMSs and their capabilities; an operator can choose the default for an account.
     *
     *     Scopes of API keys, one of: keys, read, key-kms.
     */
    get: operations['key-kms']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/key/list': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the keys of the account
     * @description Public keys, ordered by kid, or by alias or creation if filtered by these.
     *
     *     Scopes of API keys, one of: keys, read, key-list.
     */
    get: operations['key-list']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/key/read/{kid}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Read a key
     * @description The public key of a key of the account.
     *
     *     Scopes of API keys, one of: keys, read, key-read.
     */
    get: operations['key-read']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/key/csr': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Request a certificate for a key
     * @description Creates a certificate signing request (PKCS #10), signed by the key in its KMS. It names no subject: the certificate authority decides.
     *
     *     Scopes of API keys, one of: certificates, key-csr, keyCertificateRequest.
     */
    post: operations['key-csr']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/key/certificate': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Set the certificates of a key
     * @description Stores the X.509 certificates of a key. The leaf must be for this key and name an https address or a host; a self-signed trust
     *     anchor at the end is omitted. SD-JWT VCs and token status lists that the key signs from then on carry the certificates, and the
     *     address is their issuer. Setting others replaces them; an empty list removes them.
     *
     *     Scopes of API keys, one of: certificates, key-certificate, keyCertificateSet.
     */
    post: operations['key-certificate']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/key/update': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Change the label of a key
     * @description The id of the key stays: DIDs, signatures and callers that use it are not affected.
     *
     *     Scopes of API keys, one of: keys, key-update.
     */
    post: operations['key-update']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/key/{kid}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    post?: never
    /**
     * Delete a key
     * @description Deletes a key pair with its private half, permanently. A key that belongs to a DID of the account is refused: `GET
     *     /did/list?key=` lists these DIDs. What the key has signed stays valid as long as a DID document contains its public half.
     *
     *     Scopes of API keys, one of: key-deletion, key-delete, keyManagerDelete.
     */
    delete: operations['key-delete']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/resource/create/{did}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Publish a DID-Linked Resource
     * @description Publishes a resource of a DID of the account, such as a schema, or a new version of the resource with this name and type.
     *     Its media type is detected from its content. Use the status list operations for status lists: a version that
     *     would follow one is rejected (`list_exists`).
     *
     *     The content has at most 2097152 bytes, and the request at most `limits.bodyBytes` of the service.
     *
     *     Scopes of API keys, one of: dids, resource-create.
     */
    post: operations['resource-create']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/resource/search/{did}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Read resources of a DID
     * @description The resource selected by the query, whoever publishes it, as a DID URL dereferencing result: JSON as it is, text as
     *     text, everything else in base64. With `resourceMetadata=true`, only its metadata.
     *
     *     If nothing is selected, or only the type with `resourceMetadata=true`: a page of the resources, each with the metadata of
     *     its newest version, ordered by name. The bare content is at GET /1.0/identifiers/{did}.
     *
     *     Scopes of API keys, one of: dids, read, resource-search.
     */
    get: operations['resource-search']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/credential-status/create/unencrypted': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Create an unencrypted status list
     * @description Publishes a new status list as a DID-Linked Resource of a DID of the account. With `series: true`, a series: its
     *     members are lists named `<statusListName>.<n>`. Request entries of credentials with the name of the series; the
     *     service chooses the member, and publishes the next one before it is needed.
     *
     *     Scopes of API keys, one of: status-lists, create-status-list.
     */
    post: operations['create-status-list']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/credential-status/update/unencrypted': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Update an unencrypted status list
     * @description Sets the status of entries of a list that the account publishes. The call is applied completely or not at all;
     *     retrying is safe. `revoke` is final. Besides `revoke`, `suspend` and `reinstate`, a
     *     state of the list may be given by its message, its value (`0x3`) or its decimal value (`3`). A list with
     *     `publishEvery` stores the change and publishes it at its next beat, `visibleFrom`; at once with `receipt` or a
     *     `statusListVersion`.
     *
     *     Scopes of API keys, one of: status-lists, update-status-list, statusListUpdate.
     */
    post: operations['update-status-list']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/credential-status/create/encrypted': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Create an encrypted status list
     * @description Publishes a new status list whose entries only the account that holds the DID can read, and accounts that
     *     have met the payment conditions. The service encrypts with AES-256-GCM and keeps the key: it never leaves the service, so
     *     no response has a `symmetricKey`, and you need not send one. A single condition may be given by its three fields.
     *
     *     Scopes of API keys, one of: create-encrypted-status-list, statusListCreate.
     */
    post: operations['create-encrypted-status-list']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/credential-status/update/encrypted': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Update an encrypted status list
     * @description Like the update of an unencrypted list. Payment conditions, if sent, replace those of the list; an empty
     *     list of them closes it to everyone but its publisher. The service keeps the key: you need not send one.
     *
     *     Scopes of API keys, one of: update-encrypted-status-list, statusListUpdate.
     */
    post: operations['update-encrypted-status-list']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/credential-status/sign': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Sign a status list again
     * @description Publishes an unchanged version, signed with the current key of the DID; a list with `validUntil` is valid
     *     for the same period again. Lists with a `validUntil` are automatically signed again when a third of
     *     that period is left, and those of a DID whose key is rotated are signed with the new one.
     *
     *     Scopes of API keys, one of: status-lists, sign-status-list.
     */
    post: operations['sign-status-list']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/credential-status/check': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Check entries of a status list
     * @description Reports whether entries are revoked or suspended. Open to every account and to every list that resolves.
     *     An encrypted list is readable by its publisher, and by accounts that have met its payment conditions: if that has not
     *     happened within their window, the service pays for the account, unless `makeFeePayment` is false.
     *     A list is named by `did` and `statusListName`, by its address, or by a token. Lists at https addresses are fetched,
     *     only from public hosts, and must be signed by `issuer`, `did` or the issuer of the token, or by one of its status issuers.
     *     `index`, `indices` and `indexRangeStart` to `indexRangeEnd` (inclusive) are combined; at least one of them is required,
     *     unless there is a token. With `state: "stored"` the publisher sees changes that are not published yet.
     *
     *     Scopes of API keys, one of: status-lists, read, check-status-list.
     */
    post: operations['check-status-list']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/credential-status/search': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Read a status list
     * @description The newest version of a list, whoever publishes it, and for its publisher how full it is. With the name of a series of
     *     the account: its newest member, and facts about the series.
     *
     *     Scopes of API keys, one of: status-lists, read, search-status-list.
     */
    get: operations['search-status-list']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/credential-status/entries': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Read all entries of a status list
     * @description The bits of a version of a list, and what its values mean, as the type of the list reads them: the same for every type,
     *     those of plugins included. Of an encrypted list only what is published in clear.
     *
     *     Scopes of API keys, one of: status-lists, read, status-list-entries.
     */
    get: operations['status-list-entries']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/credential-status/types': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the types of status lists
     * @description Those that are configured, with what lists of each type can have.
     *
     *     Scopes of API keys, one of: status-lists, read, status-list-types.
     */
    get: operations['status-list-types']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/credential-status/list': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the status lists of a DID, or of the account
     * @description Each with its newest version, ordered by name. With a `did`, those that it publishes, whoever holds it. Without
     *     one, those of all DIDs of the account, ordered by DID: browse these pages only with `after`; they may be
     *     shorter than `limit`, or even empty, while there is a `next`. Their `total` is the number that the account has created, as its quota
     *     counts them; with `totalIsExact: false` there may be more on networks outside of this installation. With a
     *     `series` of a DID of the account, its members. Lists of DIDs of the account state how full they are.
     *
     *     Scopes of API keys, one of: status-lists, read, list-status-lists.
     */
    get: operations['list-status-lists']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/credential-status/versions': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the versions of a status list
     * @description Newest first, whoever publishes it. `GET /1.0/identifiers/{did}/resources/{resourceId}` reads one.
     *
     *     Scopes of API keys, one of: status-lists, read, status-list-versions.
     */
    get: operations['status-list-versions']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/credential-status/payments': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the fees paid for encrypted status lists
     * @description Fees that the service paid for the account to check encrypted lists of others; newest first.
     *
     *     Scopes of API keys, one of: status-list-payments, statusListPayments.
     */
    get: operations['status-list-payments']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/credential-status/jobs': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List jobs
     * @description The mass changes of the account, the newest first, until 30 days after their end unless configured otherwise. With `state`, a page may be short, or empty, while it has a `next`.
     *
     *     Scopes of API keys, one of: credentials, read, revocation, credential-revoke, vc-api-status, statusListUpdateCredential, credential-suspend, credential-reinstate, status-lists, update-status-list, statusListUpdate, update-encrypted-status-list, status-job-list.
     */
    get: operations['status-job-list']
    put?: never
    /**
     * Change the status of very many credentials
     * @description Creates a job, which is processed in the background. The body is a file: `text/csv` with the header
     *     `credentialId,list,index,action,reason`, of which a row names either a credential of the register by its id, or an index of a list
     *     by its address; or `application/x-ndjson` with the same members. It may be longer than other bodies, and is read as it arrives;
     *     if it ends early, there is no job. Rows that cannot be applied are refused individually, see the report.
     *
     *     Instead of a file, JSON selects from the register: what was issued from `issuedFrom` until before `issuedUntil`, or signed by the
     *     key `kid`.
     *
     *     Repeating a request with the same `jobId` returns the same job.
     *
     *     Each row needs the scope that it would need alone, in a dry run too: by credential, key or time `revocation`, or the id of the
     *     operation, such as `credential-revoke`; by index `status-lists`, or `update-encrypted-status-list` for an encrypted list. A file with
     *     a row that the API key must not send is refused as a whole.
     *
     *     Scopes of API keys, one of: revocation, credential-revoke, vc-api-status, statusListUpdateCredential, credential-suspend, credential-reinstate, status-lists, update-status-list, statusListUpdate, update-encrypted-status-list, status-job-create.
     */
    post: operations['status-job-create']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/credential-status/jobs/{id}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get the progress of a job
     * @description The state of a mass change, and how many of its rows are applied and refused. Its end is also an event, `job.ended`.
     *
     *     Scopes of API keys, one of: credentials, read, revocation, credential-revoke, vc-api-status, statusListUpdateCredential, credential-suspend, credential-reinstate, status-lists, update-status-list, statusListUpdate, update-encrypted-status-list, status-job-read.
     */
    get: operations['status-job-read']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/credential-status/jobs/{id}/report': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the refused rows of a job
     * @description Each refused row of a mass change, with its line and the reason. While the job runs, there may be more later.
     *
     *     Scopes of API keys, one of: credentials, read, revocation, credential-revoke, vc-api-status, statusListUpdateCredential, credential-suspend, credential-reinstate, status-lists, update-status-list, statusListUpdate, update-encrypted-status-list, status-job-report.
     */
    get: operations['status-job-report']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/credential-status/jobs/{id}/pause': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Pause a job
     * @description Stops a mass change before its next version; what is applied stays applied. A job that has ended is returned as it is.
     *
     *     Scopes of API keys, one of: revocation, credential-revoke, vc-api-status, statusListUpdateCredential, credential-suspend, credential-reinstate, status-lists, update-status-list, statusListUpdate, update-encrypted-status-list, status-job-pause.
     */
    post: operations['status-job-pause']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/credential-status/jobs/{id}/resume': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Resume a paused job
     * @description Continues a paused mass change where it stopped. Any other job is returned as it is.
     *
     *     Scopes of API keys, one of: revocation, credential-revoke, vc-api-status, statusListUpdateCredential, credential-suspend, credential-reinstate, status-lists, update-status-list, statusListUpdate, update-encrypted-status-list, status-job-resume.
     */
    post: operations['status-job-resume']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/credential-status/jobs/{id}/cancel': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Cancel a job
     * @description Ends a mass change before its next version, for good; what is applied stays applied. If a version was handed to a network, the job
     *     has no `endedAt` before its fate is known. A cancelled job is returned as it is; one that is done or has failed is a 400
     *     `not_possible`.
     *
     *     Scopes of API keys, one of: revocation, credential-revoke, vc-api-status, statusListUpdateCredential, credential-suspend, credential-reinstate, status-lists, update-status-list, statusListUpdate, update-encrypted-status-list, status-job-cancel.
     */
    post: operations['status-job-cancel']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/credential-status/receipts/verify': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Verify the receipt of an update
     * @description Verifies the receipt of an update with `receipt: true`, whoever publishes the list: its publisher signed it and
     *     published that version, and the entries of the version have the status that the action sets. A receipt that does not
     *     verify is a 200 with `verified: false` and the reason. It covers one version: use a check for the current status.
     *
     *     Scopes of API keys, one of: status-lists, read, verify-receipt.
     */
    post: operations['verify-receipt']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/credential/issue': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Issue a credential
     * @description Signs a credential with a DID of the account, in the form that `format` names: `jwt_vc` is a JWT of the VC data model
     *     1.1, `vc+jwt` one of the data model 2.0 (VC-JOSE-COSE), `dc+sd-jwt` an SD-JWT VC and `vc+sd-jwt` an SD-JWT of the data model
     *     2.0, in which `disclosureFrame` makes claims selectively disclosable: give the holder the text in `proof.jwt` of the response.
     *     `ldp_vc` is a credential of the data model 2.0 with a Data Integrity proof: give the holder the response itself.
     *     With `credentialStatus` it gets an entry of a status list, so that it can be revoked: a random index
     *     that no other credential gets. A rejected call uses none. Such a credential has an id, and is in the
     *     register of the account under a hash of it.
     *
     *     Scopes of API keys, one of: credentials, credential-issue.
     */
    post: operations['credential-issue']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/credential/verify': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Verify a credential
     * @description Verifies signature, validity and status of a credential in any configured format; `statuses` has the result of each status entry. A credential that does not verify is a 200 with `verified: false` and the reason.
     *
     *     Scopes of API keys, one of: credentials, read, credential-verify.
     */
    post: operations['credential-verify']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/credential/revoke': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Revoke a credential
     * @description Revokes a credential in the status list that it names, permanently.
     *     The list must belong to the account. The credential must have a valid signature of its issuer; it may
     *     have expired. A credential that was issued here can be named by its id instead (`credentialId`). Retrying
     *     is safe. A list with `publishEvery` publishes the change at its next beat, `visibleFrom`.
     *
     *     Scopes of API keys, one of: revocation, credential-revoke, vc-api-status, statusListUpdateCredential.
     */
    post: operations['credential-revoke']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/credential/suspend': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Suspend a credential
     * @description Suspends a credential in the status list that it names.
     *     The list must belong to the account. The credential must have a valid signature of its issuer; it may
     *     have expired. A credential that was issued here can be named by its id instead (`credentialId`). Retrying
     *     is safe. A list with `publishEvery` publishes the change at its next beat, `visibleFrom`.
     *
     *     Scopes of API keys, one of: revocation, credential-suspend, vc-api-status, statusListUpdateCredential.
     */
    post: operations['credential-suspend']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/credential/reinstate': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Reinstate a credential
     * @description Ends the suspension of a credential. A revoked credential stays revoked.
     *     The list must belong to the account. The credential must have a valid signature of its issuer; it may
     *     have expired. A credential that was issued here can be named by its id instead (`credentialId`). Retrying
     *     is safe. A list with `publishEvery` publishes the change at its next beat, `visibleFrom`.
     *
     *     Scopes of API keys, one of: revocation, credential-reinstate, vc-api-status, statusListUpdateCredential.
     */
    post: operations['credential-reinstate']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/credential/entries': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Browse registered credentials
     * @description The credentials that the account issued with an entry of a status list, in the order of lists and indices: all, those of
     *     a `list` or of a `did`, those at an `index` of a list, or the entries of one credential. The register has no claims, no
     *     subjects, and only a keyed hash of each id: you can look up an id that you know, but not list ids. With a `did` or a
     *     time, a page may be shorter than `limit`, or even empty, while there is a `next`.
     *
     *     Scopes of API keys, one of: credentials, read, credential-entries.
     */
    get: operations['credential-entries']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/presentation/create': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Create a presentation (for testing)
     * @description Signs a Verifiable Presentation with a DID of the account. **For testing, not for production**: in production the
     *     holder creates presentations in a wallet that holds the key.
     *
     *     Scopes of API keys, one of: credentials, presentation-create.
     */
    post: operations['presentation-create']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/presentation/verify': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Verify a presentation
     * @description Verifies the presentation and every credential in it. If it does not verify, the response is a 200 with `verified: false` and the reason.
     *
     *     Scopes of API keys, one of: credentials, read, presentation-verify.
     */
    post: operations['presentation-verify']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/account/usage': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get the usage of the quotas and budgets of the account
     * @description Every quota and daily budget with its current usage and limit.
     *
     *     Scopes of API keys, one of: read, account-usage.
     */
    get: operations['account-usage']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/account/audit': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the audit trail of the account
     * @description Newest first. A page with a filter may be short, or empty: only its `next` tells whether more follows.
     *     What each event means is in docs/audit.md.
     *
     *     With `accept: text/csv` the response is a file with everything that fits, up to 100000 entries, whatever
     *     `limit` says; filter by time for others. What spreadsheets would take for a formula has an apostrophe before it.
     *
     *     Scopes of API keys, one of: api-keys, account-audit.
     */
    get: operations['account-audit']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/account/api-keys': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the API keys of the account
     * @description Newest first, including expired and revoked ones; never in clear.
     *
     *     Scopes of API keys, one of: api-keys, api-key-list.
     */
    get: operations['api-key-list']
    put?: never
    /**
     * Create an API key
     * @description Creates another API key of the account and shows it only once. It never has more rights than the calling key:
     *     omitted limits are those of the calling key, and wider ones are rejected. It ends with the calling key at the latest;
     *     created with a token or session, with that or after the time configured for its identity provider (`apiKeyLife`), and
     *     it works only while that provider is configured.
     *
     *     Scopes of API keys, one of: api-keys, api-key-create.
     */
    post: operations['api-key-create']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/account/api-keys/{id}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    post?: never
    /**
     * Revoke an API key
     * @description Revokes an API key of the account, at once and permanently; it stays in the list. Revoking it again has no effect.
     *
     *     Scopes of API keys, one of: api-keys, api-key-revoke.
     */
    delete: operations['api-key-revoke']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/account/api-keys/{id}/rotate': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Rotate an API key
     * @description Creates a key with the same name, scopes, networks and expiry, and shows it only once. The old key keeps working for the
     *     overlap, so that you can deploy the new one. A key has one successor.
     *
     *     Scopes of API keys, one of: api-keys, api-key-rotate.
     */
    post: operations['api-key-rotate']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/account/events': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List or stream the events of the account
     * @description Oldest first. To miss none, continue with the id of the last event as `after`. Events are kept for 30 days,
     *     unless configured otherwise.
     *
     *     With `accept: text/event-stream` the response is an endless stream of server-sent events: those after
     *     `last-event-id` or `after`, then new ones; without either, only new ones. `limit` is ignored
     *     there. Comments keep the connection alive. It ends when the service stops or the API key expires; reconnect with the
     *     id of the last event, as browsers do automatically.
     *
     *     Scopes of API keys, one of: read, event-list.
     */
    get: operations['event-list']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/account/webhooks': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the webhooks of the account
     * @description Newest first, including revoked ones, with their pending events; never their secrets.
     *
     *     Scopes of API keys, one of: webhooks, webhook-list.
     */
    get: operations['webhook-list']
    put?: never
    /**
     * Create a webhook
     * @description Every new event is posted to the URL as JSON, in the form of GET /account/events, and signed according to
     *     Standard Webhooks with the secret, which is shown only once. It is delivered once the receiver responds with 2xx, and
     *     retried for a day otherwise; a 410 revokes the webhook. An event may be delivered more than once, with the same `webhook-id`.
     *     The host must be on the public internet, and redirects are not followed.
     *
     *     Scopes of API keys, one of: webhooks, webhook-create, webhook-resume.
     */
    post: operations['webhook-create']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/account/webhooks/{id}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    post?: never
    /**
     * Revoke a webhook
     * @description Revokes a webhook of the account permanently, and drops its pending events; it stays in the list. Revoking it again
     *     changes nothing.
     *
     *     Scopes of API keys, one of: webhooks, webhook-revoke.
     */
    delete: operations['webhook-revoke']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/account/webhooks/{id}/resume': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Resume a suspended webhook
     * @description Makes a webhook whose owner has lost its rights that of the caller, and delivers what waits for it, in order. An active
     *     one stays unchanged.
     *
     *     Scopes of API keys, one of: webhooks, webhook-create, webhook-resume.
     */
    post: operations['webhook-resume']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/account/webhooks/{id}/dead-letters': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the dead letters of a webhook
     * @description Events that could not be delivered, oldest first, with the last error. They are kept as long as events are.
     *
     *     Scopes of API keys, one of: webhooks, webhook-dead-letters.
     */
    get: operations['webhook-dead-letters']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/account/webhooks/{id}/replay': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Redeliver dead letters
     * @description Starts at once, and is retried like new events. Ids that are not dead letters are ignored.
     *
     *     Scopes of API keys, one of: webhooks, webhook-replay.
     */
    post: operations['webhook-replay']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/operator/accounts': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the accounts of the service
     * @description By name, disabled ones included.
     *
     *     Scopes of API keys, one of: operator.
     */
    get: operations['operator-account-list']
    put?: never
    /**
     * Create an account
     * @description Creates an account, and, with `firstKey`, an API key of it, which is shown only once. The key never has the scope
     *     `operator`, writes to no network that the calling key may not write to, and ends with the key, token or session that
     *     creates it at the latest; `expiresAt` says when.
     *
     *     Scopes of API keys, one of: operator.
     */
    post: operations['operator-account-create']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/operator/accounts/{name}/disable': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Disable an account
     * @description From now on, in every process, its API keys, tokens and sessions are refused, its event streams end, and none of its
     *     events is delivered. Nothing is lost: acknowledged work is completed, its lists are renewed, and what it has
     *     published stays readable. Disabling it again changes nothing. The account of the calling key cannot be disabled.
     *
     *     Scopes of API keys, one of: operator.
     */
    post: operations['operator-account-disable']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/operator/accounts/{name}/enable': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Enable a disabled account
     * @description Everything works as before, unless its deletion has begun: that can only be continued.
     *
     *     Scopes of API keys, one of: operator.
     */
    post: operations['operator-account-enable']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/operator/accounts/{name}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    post?: never
    /**
     * Delete an account
     * @description Disables the account for good, waits for its acknowledged work, and erases its keys, DIDs, API keys and other data;
     *     what it has published stays on its ledgers. A 202 means that this goes on in the background, also after a restart;
     *     repeat the request to learn whether it has ended: then it is a 404.
     *
     *     With `dryRun`, nothing changes: the response has what would be erased, and the lists that nobody could sign again.
     *     The account of the calling key cannot be deleted.
     *
     *     Scopes of API keys, one of: operator.
     */
    delete: operations['operator-account-delete']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/operator/sessions': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the sessions of the console
     * @description Those that began with an identity provider, newest first, with what the rules of now give them.
     *
     *     Scopes of API keys, one of: operator.
     */
    get: operations['operator-session-list']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/operator/sessions/{id}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    post?: never
    /**
     * End a session of the console
     * @description At once and in every process. It is in the audit trails of the calling key and of the account of the session.
     *
     *     Scopes of API keys, one of: operator.
     */
    delete: operations['operator-session-end']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/operator/health': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get the health of the service
     * @description The findings of `vidimus doctor`, the outbox of each network, the lag of publications, the database and the running
     *     versions, as the process that responds sees them. Figures that cannot be read in time are absent.
     *
     *     Scopes of API keys, one of: operator.
     */
    get: operations['operator-health']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/work': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List what waits
     * @description What the service has still to do for the account and its DIDs, now or later. The kinds, and what can be done with them, are in docs/work.md. A page may be short, or empty: only its `next` tells whether more follows.
     *
     *     Scopes of API keys, one of: read, work-list.
     */
    get: operations['work-list']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/work/{id}/retry': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Retry work at once
     * @description Work whose last attempt has failed is due at once, and not at its time. It takes a right of the kind, such as `webhooks` for a delivery. The kinds, and what can be done with them, are in docs/work.md.
     *
     *     Scopes of API keys, one of: status-lists, dids, webhooks, key-deletion, key-delete, keyManagerDelete, revocation, credential-revoke, vc-api-status, statusListUpdateCredential, credential-suspend, credential-reinstate, update-status-list, statusListUpdate, update-encrypted-status-list, work-retry.
     */
    post: operations['work-retry']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/work/{id}/pause': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Pause work
     * @description It is not done until it is resumed. What is under way has no effect any more; what is done stays done. It takes a right of the kind, such as `webhooks` for a delivery. The kinds, and what can be done with them, are in docs/work.md.
     *
     *     Scopes of API keys, one of: status-lists, dids, webhooks, key-deletion, key-delete, keyManagerDelete, revocation, credential-revoke, vc-api-status, statusListUpdateCredential, credential-suspend, credential-reinstate, update-status-list, statusListUpdate, update-encrypted-status-list, work-pause.
     */
    post: operations['work-pause']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/work/{id}/resume': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Resume paused work
     * @description It is due at once. It takes a right of the kind, such as `webhooks` for a delivery. The kinds, and what can be done with them, are in docs/work.md.
     *
     *     Scopes of API keys, one of: status-lists, dids, webhooks, key-deletion, key-delete, keyManagerDelete, revocation, credential-revoke, vc-api-status, statusListUpdateCredential, credential-suspend, credential-reinstate, update-status-list, statusListUpdate, update-encrypted-status-list, work-resume.
     */
    post: operations['work-resume']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/work/{id}/cancel': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Cancel work
     * @description It is not done at all. What is done stays done. It takes a right of the kind, such as `webhooks` for a delivery. The kinds, and what can be done with them, are in docs/work.md.
     *
     *     Scopes of API keys, one of: status-lists, dids, webhooks, key-deletion, key-delete, keyManagerDelete, revocation, credential-revoke, vc-api-status, statusListUpdateCredential, credential-suspend, credential-reinstate, update-status-list, statusListUpdate, update-encrypted-status-list, work-cancel.
     */
    post: operations['work-cancel']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/operator/work': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List what waits, of all accounts
     * @description By kind, the earliest due first; of one account by its DIDs. The kinds, and what can be done with them, are in docs/work.md. A page may be short, or empty: only its `next` tells whether more follows.
     *
     *     Scopes of API keys, one of: operator.
     */
    get: operations['operator-work-list']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/operator/work/{id}/retry': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Retry work at once, of any account
     * @description Work whose last attempt has failed is due at once, and not at its time. It is in the audit trails of the calling key and of the account. The kinds, and what can be done with them, are in docs/work.md.
     *
     *     Scopes of API keys, one of: operator.
     */
    post: operations['operator-work-retry']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/operator/work/{id}/pause': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Pause work, of any account
     * @description It is not done until it is resumed. What is under way has no effect any more; what is done stays done. It is in the audit trails of the calling key and of the account. The kinds, and what can be done with them, are in docs/work.md.
     *
     *     Scopes of API keys, one of: operator.
     */
    post: operations['operator-work-pause']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/operator/work/{id}/resume': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Resume paused work, of any account
     * @description It is due at once. It is in the audit trails of the calling key and of the account. The kinds, and what can be done with them, are in docs/work.md.
     *
     *     Scopes of API keys, one of: operator.
     */
    post: operations['operator-work-resume']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/operator/work/{id}/cancel': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Cancel work, of any account
     * @description It is not done at all. What is done stays done. It is in the audit trails of the calling key and of the account. The kinds, and what can be done with them, are in docs/work.md.
     *
     *     Scopes of API keys, one of: operator.
     */
    post: operations['operator-work-cancel']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/1.0/create': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Create a DID (DIF Universal Registrar)
     * @description The same as POST /did/create, in the form of DID Registration with internal secret mode: keys are created and kept by
     *     the service, and never returned. `method` names a configured provider of DIDs.
     *
     *     Scopes of API keys, one of: dids, registrar-create.
     */
    post: operations['registrar-create']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/1.0/update': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Update a DID document (DIF Universal Registrar)
     * @description Replaces the DID document (`setDidDocument`), adds to it (`addToDidDocument`) or removes from it
     *     (`removeFromDidDocument`); several operations are applied in order and written at once. Entries are identified by their `id`,
     *     and removing a verification method removes all references to it. New keys must belong to the account (POST /key/create).
     *
     *     Entries are added to or removed from the current document; if another writer changes it concurrently,
     *     they apply to the result of that change. `setDidDocument` replaces the whole document.
     *
     *     Scopes of API keys, one of: dids, registrar-update.
     */
    post: operations['registrar-update']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/1.0/deactivate': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Deactivate a DID permanently (DIF Universal Registrar)
     * @description Deactivates a DID: it can no longer be changed or publish anything, and it resolves as deactivated. It stays in the account.
     *     This cannot be undone.
     *
     *     Scopes of API keys, one of: dids, registrar-deactivate.
     */
    post: operations['registrar-deactivate']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/1.0/properties': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List what the registrar supports for each DID method
     * @description Keyed by the method name, as POST /1.0/create takes it. GET /1.0/methods is the list of the resolver.
     *
     *     Scopes of API keys, one of: dids, read, registrar-properties.
     */
    get: operations['registrar-properties']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/credentials/issue': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Issue a credential (VC API)
     * @description Signs a credential of the data model 2.0, in `ldp_vc` also of 1.1, as it is, with a key of its `issuer`, a DID of the account. Enveloping formats return an `EnvelopedVerifiableCredential`. Issued credentials are not stored.
     *
     *     Scopes of API keys, one of: credentials, vc-api-issue.
     */
    post: operations['vc-api-issue']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/credentials/verify': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Verify a credential (VC API)
     * @description Verifies signature, validity and status. A 400 if it is not a verifiable credential or its signature is invalid; a 200 with `verified: false` if it has expired or its status is not valid.
     *
     *     Scopes of API keys, one of: credentials, read, vc-api-verify-credential.
     */
    post: operations['vc-api-verify-credential']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/credentials/status': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Update the status of a credential (VC API)
     * @description Revokes, suspends or reinstates a credential that is in the register of the account, by its id, in the status list that it names. A revoked credential stays revoked.
     *
     *     Scopes of API keys, one of: revocation, credential-revoke, vc-api-status, statusListUpdateCredential, credential-suspend, credential-reinstate.
     */
    post: operations['vc-api-status']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/presentations': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Create a presentation (VC API, for testing)
     * @description Signs a presentation with a Data Integrity proof of its `holder`, a DID of the account, as `POST /presentation/create` does with `ldp_vp`. Members other than these are refused.
     *
     *     Scopes of API keys, one of: credentials, vc-api-create-presentation.
     */
    post: operations['vc-api-create-presentation']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/presentations/verify': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Verify a presentation (VC API)
     * @description Verifies the proof of the presentation and every credential in it. A 400 if it cannot be read; a 200 with `verified: false` for any other problem. Presentations without a proof are rejected: verify their credentials one by one.
     *
     *     Scopes of API keys, one of: credentials, read, vc-api-verify-presentation.
     */
    post: operations['vc-api-verify-presentation']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/1.0/methods': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /** List the DID methods that are resolved publicly */
    get: operations['did-methods']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/1.0/identifiers/{did}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Resolve a DID, or dereference a DID URL with parameters
     * @description The response depends on `accept`: a DID resolution result by default, the bare document for
     *     `application/did+ld+json`, `application/did+json`, `application/did` or no `accept` at all. With parameters of a
     *     resource it is the content of the newest matching version, under the media type of the ledger, or under that
     *     of its status list type if `accept` names it. Empty, repeated or unknown parameters are rejected.
     */
    get: operations['did-resolve']
    put?: never
    /**
     * Resolve with the options in the body
     * @description DID Resolution, HTTPS binding: the body has the query parameters of GET as members, and `accept` for clients that cannot send this header.
     */
    post: operations['did-resolve-with-options']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/1.0/identifiers/{did}/resources/{resourceId}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /** Read one version of a DID-Linked Resource */
    get: operations['resource-read']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/1.0/identifiers/{did}/resources/{resourceId}/metadata': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /** Read the metadata of one version of a DID-Linked Resource */
    get: operations['resource-metadata']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/1.0/identifiers/{did}/version/{versionId}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /** Resolve one version of a DID document */
    get: operations['did-version']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/1.0/identifiers/{did}/version/{versionId}/metadata': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /** Read the metadata of one version of a DID document */
    get: operations['did-version-metadata']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/1.0/identifiers/{did}/versions': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /** List the versions of a DID document, oldest first, at most 1000; continue with `?after=` and the `next` of the response */
    get: operations['did-versions']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/1.0/identifiers/{did}/metadata': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /** Read the metadata of a DID document, with the versions of all resources of the DID, oldest first, at most 1000; continue with `?after=` and `linkedResourceMetadataNext` */
    get: operations['did-metadata']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/status-lists/{statusListId}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Read a published status list, as verifiers do
     * @description `accept` selects the form; the default is the signed one. `cache-control` follows the `ttl`
     *     of the list, `content-encoding: gzip` is used if accepted, and each form has its own `etag`. `time`, in seconds
     *     since 1970, or `timestamp` selects the version at that time.
     */
    get: operations['status-list-read']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/status-lists/aggregation': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /** List the addresses of all token status lists whose identity is their https address */
    get: operations['status-list-aggregation']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/health/live': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /** Check whether the process responds */
    get: operations['health-live']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/health/ready': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Check whether the service is ready
     * @description Checks at most once a second; a success is valid for up to 5 seconds, and only two consecutive failures are a 503.
     */
    get: operations['health-ready']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/openapi.json': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /** Read this document */
    get: operations['api-document']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/open-api.json': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Read the document of the remote agent methods
     * @description Other Veramo agents call methods of this one at `POST /agent/{method}`, as described by this document.
     */
    get: operations['agent-document']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
}
export type webhooks = Record<string, never>
export interface components {
  schemas: {
    /** @description A request for an entry of a status list (`statusListName`), or a ready entry (`type`) */
    RequestedStatus: {
      /** @description Requests an entry of the list with this name */
      statusListName?: string
      /** @description Of a request: who publishes the list; default: the issuer */
      did?: string
      /** @description Alias of `statusListType` */
      listType?: string
      /** @description Type of the list; required if lists of several types have this name */
      statusListType?: string
      /** @description Purpose; required if the list has several. Several purposes share one index */
      statusPurpose?: string | string[]
      /** @description Of a request: the index to take; default: a free one at random. Of a ready entry: its index as text */
      statusListIndex?: number | string
      /** @description Of a ready entry: its type; such an entry is copied into the credential unchanged */
      type?: string
    } & {
      [key: string]: unknown
    }
    /** @description The error */
    Error: {
      /** @description One sentence for humans that names the field and the problem */
      error: string
      /** @description Stable code, for programs */
      code: string
      /** @description Id of the request in the log */
      requestId: string
      /** @description All problems, at most 100 */
      details?: {
        /** @description Field, such as `indices[2]`; `''` for the whole input */
        path: string
        message: string
        /**
         * @description Of `unauthenticated`
         * @enum {string}
         */
        reason?: 'missing' | 'malformed' | 'unknown' | 'conflict'
        /** @description Of `quota_exceeded`: before the request */
        used?: number
        /** @description Of `quota_exceeded` */
        limit?: number
      }[]
    }
    /** @description A DID of the account */
    DidResult: {
      did: string
      /** @description did:web: the https address of its DID document */
      documentUrl?: string
      /** @description `kid` of the key that controls the DID */
      controllerKeyId?: string
      keys: components['schemas']['ManagedKey'][]
      services: components['schemas']['Service'][]
      /**
       * @description Network fee for what was written; absent if there was none. Callers who share a version each see its full cost
       * @example {
       *       "amount": "10000000000",
       *       "denom": "ncheq"
       *     }
       */
      cost?: {
        /** @description In the unit of `denom` */
        amount: string
        /**
         * @description 1,000,000,000 ncheq are one CHEQ
         * @constant
         */
        denom: 'ncheq'
      }
    }
    /** @description A key that the service holds; never its private key */
    ManagedKey: {
      /** @description Id of the key: its public key in hex */
      kid: string
      type: string
      publicKeyHex: string
      /** @description Name of the KMS that holds the private half */
      kms: string
    }
    /** @description A service of a DID document */
    Service: {
      id: string
      type: string
      serviceEndpoint:
        | string[]
        | string
        | {
            [key: string]: unknown
          }
    } & {
      [key: string]: unknown
    }
    DIDRotation: {
      did: string
      /**
       * @description `adding`: the new key is being added to the DID document; `signing`: it signs, and the lists are being signed again; `waiting`: the former key stays for what it has signed; `removing`: it is being removed; `done`; `failed`: the rotation stopped there
       * @enum {string}
       */
      state: 'adding' | 'signing' | 'waiting' | 'removing' | 'done' | 'failed'
      /** @description The `kid` of the new key */
      key: string
      /** @description KMS of the new key */
      kms: string
      /** @description The `kid` of the former signing key */
      formerKey: string
      /** @description Status lists processed so far, now signed by the new key */
      signedLists: number
      /** Format: date-time */
      startedAt: string
      /**
       * Format: date-time
       * @description When everything was signed by the new key
       */
      signsSince?: string
      gracePeriod?: string
      /**
       * Format: date-time
       * @description When the former key is removed from the document, if known
       */
      removesAt?: string
      /** Format: date-time */
      endedAt?: string
      /** @description Why it stopped, or what is being retried */
      failure?: string
      /**
       * @description Network fee for what was written; absent if there was none. Callers who share a version each see its full cost
       * @example {
       *       "amount": "10000000000",
       *       "denom": "ncheq"
       *     }
       */
      cost?: {
        /** @description In the unit of `denom` */
        amount: string
        /**
         * @description 1,000,000,000 ncheq are one CHEQ
         * @constant
         */
        denom: 'ncheq'
      }
    }
    DidDeactivation: {
      didDocument: {
        [key: string]: unknown
      } | null
      /** @description About the resolution */
      didResolutionMetadata: {
        [key: string]: unknown
      }
      /** @description About the document, such as `deactivated` and `versionId` */
      didDocumentMetadata: {
        [key: string]: unknown
      }
      /**
       * @description Network fee for what was written; absent if there was none. Callers who share a version each see its full cost
       * @example {
       *       "amount": "10000000000",
       *       "denom": "ncheq"
       *     }
       */
      cost?: {
        /** @description In the unit of `denom` */
        amount: string
        /**
         * @description 1,000,000,000 ncheq are one CHEQ
         * @constant
         */
        denom: 'ncheq'
      }
    }
    DidList: {
      /** @description Total number of matches; with `totalIsExact: false` a lower bound */
      total: number
      /**
       * @description Present if counting stopped at 10000
       * @constant
       */
      totalIsExact?: false
      /** @description Send it as `after` for the next page; absent on the last one. A page may be shorter than `limit` */
      next?: string
      dids: string[] | components['schemas']['ListedDid'][]
    }
    ListedDid: {
      did: string
      provider: string
      alias?: string
      controllerKeyId?: string
      services: ({
        id: string
      } & {
        [key: string]: unknown
      })[]
    }
    HeldDid: {
      did: string
      /** @description did:web: the https address of its DID document */
      documentUrl?: string
      /** @description `kid` of the key that controls the DID */
      controllerKeyId?: string
      keys: components['schemas']['ManagedKey'][]
      services: components['schemas']['Service'][]
      /**
       * @description Network fee for what was written; absent if there was none. Callers who share a version each see its full cost
       * @example {
       *       "amount": "10000000000",
       *       "denom": "ncheq"
       *     }
       */
      cost?: {
        /** @description In the unit of `denom` */
        amount: string
        /**
         * @description 1,000,000,000 ncheq are one CHEQ
         * @constant
         */
        denom: 'ncheq'
      }
      /** @description Name of the provider of DIDs */
      provider: string
      /** @description Label of the DID */
      alias?: string
    }
    /** @description A DID resolution result (DID Core 7.1) */
    DidResolution: {
      didDocument: {
        [key: string]: unknown
      } | null
      /** @description About the resolution */
      didResolutionMetadata: {
        [key: string]: unknown
      }
      /** @description About the document, such as `deactivated` and `versionId` */
      didDocumentMetadata: {
        [key: string]: unknown
      }
    }
    /** @description A DID document, and for a did:web where to publish it */
    HeldDidDocument: {
      /** @description The DID document */
      didDocument: {
        [key: string]: unknown
      }
      /** @description did:web: the https address of its DID document */
      documentUrl?: string
    }
    /** @description A key of the account; never its private key */
    KeyDetails: {
      /** @description Id of the key: its public key in hex */
      kid: string
      type: string
      publicKeyHex: string
      /** @description Name of the KMS that holds the private half */
      kms: string
      /** @description Label of the key */
      alias?: string
      /**
       * Format: date-time
       * @description When the account obtained it
       */
      createdAt?: string
      /** @description DIDs of the account that have it, if asked for; `GET /did/list` with `key` lists all */
      dids?: string[]
      /**
       * @description Present if these are not all
       * @constant
       */
      hasMoreDids?: true
      /** @description Alias of `alias` */
      publicKeyAlias?: string
      /** @description Uses of a key of this type */
      meta: {
        algorithms: string[]
      }
    }
    KeyManagementSystems: {
      kms: components['schemas']['KeyManagementSystem'][]
    }
    KeyManagementSystem: {
      /** @description As `kms` of requests names it */
      name: string
      /** @description Key types that it can create; absent if unknown */
      keyTypes?: string[]
      /** @description Whether it can import private keys; absent if unknown */
      importsKeys?: boolean
      /** @description New keys are created in it by default */
      isDefault: boolean
    }
    KeyList: {
      /** @description Total number of matches; with `totalIsExact: false` a lower bound */
      total: number
      /**
       * @description Present if counting stopped at 10000
       * @constant
       */
      totalIsExact?: false
      /** @description Send it as `after` for the next page; absent on the last one. A page may be shorter than `limit` */
      next?: string
      keys: components['schemas']['KeyDetails'][]
    }
    KeyCertificateRequest: {
      kid: string
      /** @description PKCS #10 in PEM, signed by the key */
      certificateRequest: string
    }
    KeyCertificate: {
      kid: string
      /** @description The https address that is the issuer of what it signs with them; absent: none */
      issuer?: string
      /** @description When the first of them expires */
      expiresAt?: string
      /** @description In base64 DER, the leaf first */
      certificateChain: string[]
      /** @description Whether the leaf may sign status lists */
      signsStatusLists: boolean
    }
    ResourceCreateResult: {
      resource: components['schemas']['ResourceMetadata']
      /**
       * @description Network fee for what was written; absent if there was none. Callers who share a version each see its full cost
       * @example {
       *       "amount": "10000000000",
       *       "denom": "ncheq"
       *     }
       */
      cost?: {
        /** @description In the unit of `denom` */
        amount: string
        /**
         * @description 1,000,000,000 ncheq are one CHEQ
         * @constant
         */
        denom: 'ncheq'
      }
    }
    /** @description One version of a DID-Linked Resource */
    ResourceMetadata: {
      /** @description DID URL `<did>/resources/<resourceId>` */
      resourceURI: string
      /** @description The method-specific identifier of the publisher */
      resourceCollectionId: string
      /** @description UUID, new for every version */
      resourceId: string
      resourceName: string
      resourceType: string
      mediaType: string
      /** @description Free text of the publisher; empty where none was given */
      resourceVersion: string
      /**
       * Format: date-time
       * @description In UTC, whole seconds
       */
      created: string
      /** @description Hex SHA-256 of the content */
      checksum: string
      previousVersionId: string | null
      nextVersionId: string | null
    }
    ResourceSearchResult: {
      '@context': string
      /** @description About the dereferencing */
      dereferencingMetadata: {
        [key: string]: unknown
      }
      /** @description The content; `null` if metadata are requested */
      contentStream: unknown
      /** @description Metadata of the resource; of a page `linkedResourceMetadata`, a list of metadata */
      contentMetadata: {
        [key: string]: unknown
      }
      /** @description Total number of matches; with `totalIsExact: false` a lower bound */
      total?: number
      /**
       * @description Present if counting stopped at 10000
       * @constant
       */
      totalIsExact?: false
      /** @description Send it as `after` for the next page; absent on the last one. A page may be shorter than `limit` */
      next?: string
    }
    StatusListCreateResult: {
      /** @description The published list, in the form of its type; omitted with `prefer: return=minimal` */
      resource?: {
        [key: string]: unknown
      }
      resourceMetadata: components['schemas']['ResourceMetadata']
      /** @constant */
      created: true
      encrypted: boolean
      /** @description If it is a series: the resource is that of a member */
      series?: {
        name: string
        /** @description Entries of each member; absent: the default */
        length?: number
        period?: string
        /** @description How many there are */
        members: number
      }
      /** @description What to know of the list: `rarely_read` if few verifiers read such a list */
      warnings?: {
        code: string
        message: string
      }[]
      /**
       * @description Network fee for what was written; absent if there was none. Callers who share a version each see its full cost
       * @example {
       *       "amount": "10000000000",
       *       "denom": "ncheq"
       *     }
       */
      cost?: {
        /** @description In the unit of `denom` */
        amount: string
        /**
         * @description 1,000,000,000 ncheq are one CHEQ
         * @constant
         */
        denom: 'ncheq'
      }
      /** @description The id of the list in its https address `/status-lists/{statusListId}` */
      statusListId: string
      /** @description The https address of the list, if the service has a public URL */
      statusListUrl?: string
    }
    StatusListUpdateResult: {
      /** @description The published list, in the form of its type; omitted with `prefer: return=minimal` */
      resource?: {
        [key: string]: unknown
      }
      resourceMetadata: components['schemas']['ResourceMetadata']
      /**
       * @description The update is durably stored
       * @constant
       */
      updated: true
      /** @description Of lists with `publishEvery`: whether the change is in `resource`, the version that is published now */
      published?: boolean
      /**
       * Format: date-time
       * @description If it is not published yet: when it will be
       */
      visibleFrom?: string
      /** @description Indices changed by this call, ascending; empty: no version was published, unless for new payment conditions */
      changed: number[]
      revoked?: boolean
      suspended?: boolean
      unsuspended?: boolean
      /** @description Of a custom state */
      status?: number
      /** @description Of a custom state */
      message?: string
      /** @description If requested: a compact JWS of the publisher that states what this call did */
      receipt?: string
      /**
       * @description If waited for: whether the static publication has this version, or it is pending
       * @enum {string}
       */
      publication?: 'done' | 'pending'
      /**
       * @description Network fee for what was written; absent if there was none. Callers who share a version each see its full cost
       * @example {
       *       "amount": "10000000000",
       *       "denom": "ncheq"
       *     }
       */
      cost?: {
        /** @description In the unit of `denom` */
        amount: string
        /**
         * @description 1,000,000,000 ncheq are one CHEQ
         * @constant
         */
        denom: 'ncheq'
      }
    }
    StatusListSignResult: {
      /** @description The published list, in the form of its type; omitted with `prefer: return=minimal` */
      resource?: {
        [key: string]: unknown
      }
      resourceMetadata: components['schemas']['ResourceMetadata']
      /** @description Whether a version was published; false if the current key already signed the newest one */
      signed: boolean
      /**
       * Format: date-time
       * @description Of the version in `resource`, if it has one
       */
      validUntil?: string
      /**
       * @description Network fee for what was written; absent if there was none. Callers who share a version each see its full cost
       * @example {
       *       "amount": "10000000000",
       *       "denom": "ncheq"
       *     }
       */
      cost?: {
        /** @description In the unit of `denom` */
        amount: string
        /**
         * @description 1,000,000,000 ncheq are one CHEQ
         * @constant
         */
        denom: 'ncheq'
      }
    }
    /** @description For several indices, whether any is set */
    StatusListCheckResult: {
      /** @constant */
      checked: true
      /** @description Value of the entry */
      status?: number
      /** @description The value is 0: no purpose of the list applies, not only this one */
      valid?: boolean
      revoked?: boolean
      suspended?: boolean
      message?: string
      purpose?: string
      /** @description Who signed a list that is served over https, where the request names no credential: a DID, an https address, or `anchor:` and the name of a trust anchor */
      signedBy?: string
      /** @description One for each index, ascending */
      results?: {
        /** @description Value of the entry */
        status: number
        /** @description The value is 0: no purpose of the list applies, not only this one */
        valid: boolean
        revoked?: boolean
        suspended?: boolean
        message?: string
        index: number
      }[]
    }
    StatusListSearchResult: {
      /** @description The published list, in the form of its type */
      resource: {
        [key: string]: unknown
      }
      resourceMetadata: components['schemas']['ResourceMetadata']
      /** @constant */
      found: true
      /** @description If it is a series: the resource is that of a member */
      series?: {
        name: string
        /** @description Entries of each member; absent: the default */
        length?: number
        period?: string
        /** @description How many there are */
        members: number
      }
      /** @description If the list is a member of a series */
      member?: {
        statusListName: string
        resourceType: string
        /** @description Name of the series */
        series: string
        /**
         * @description `ready`: the next one; `open`: indices are allocated in it; `full`: no longer; `closed`: and all of its credentials have expired
         * @enum {string}
         */
        state: 'ready' | 'open' | 'full' | 'closed'
        /**
         * Format: date-time
         * @description With a `period`: its credentials expire before this
         */
        expireBefore?: string
      }
      /** @description For the account that publishes it: entries that are given out, which includes those in use already and those that a restore skipped */
      allocated?: number
      /** @description For the account that publishes it: how many there are; absent if that is not known without reading the list */
      entries?: number
      /** @description For the account that publishes it: how often changes are published; absent: at once */
      publishEvery?: string
      /** @description Whether versions are published at this interval even without changes */
      always?: boolean
      /** @description Number of entries whose changes are not published yet */
      waiting?: number
      /**
       * Format: date-time
       * @description When the next version is due
       */
      visibleFrom?: string
      /** @description The id of the list in its https address `/status-lists/{statusListId}` */
      statusListId: string
      /** @description The https address of the list, if the service has a public URL */
      statusListUrl?: string
    }
    StatusListEntries: {
      resourceId: string
      /** @description Bits of an entry */
      statusSize: number
      /**
       * @description Order of the bits of an entry in the bytes, see docs/status-lists.md
       * @enum {string}
       */
      order: 'msb' | 'lsb' | 'lsb-in-entry'
      purposes: string[]
      encrypted: boolean
      /** @description Why verifiers must not trust this version, such as a key that its publisher no longer has */
      untrusted?: string
      /** @description Number of entries; 0 if it is encrypted */
      length: number
      /** @description The bits of all entries: gzip, then base64url; absent if the list is encrypted */
      bits?: string
      /** @description The values that occur, or have a name */
      values: {
        value: number
        /** @description How many entries have it */
        entries: number
        /** @description For every purpose of the list */
        valid: boolean
        revoked?: boolean
        suspended?: boolean
        /** @description Its name */
        message?: string
        /** @description Named actions that lead to another value */
        actions: string[]
      }[]
    }
    StatusListTypes: {
      types: components['schemas']['StatusListType'][]
    }
    StatusListType: {
      /** @description The `listType` of the API */
      type: string
      entryType: string
      purposes: string[]
      statusSizes: number[]
      /** @description Resource types that lists of this type are published under */
      resourceTypes: string[]
      /** @description Entries of a new list, unless its creator chooses */
      defaultLength: number
      /** @description Entries of the smallest list */
      minLength: number
      /** @description Whether versions can have an embedded proof as well */
      embedsProofs: boolean
    }
    StatusLists: {
      /** @description Total number of matches; with `totalIsExact: false` a lower bound */
      total: number
      /**
       * @description Present if counting stopped at 10000
       * @constant
       */
      totalIsExact?: false
      /** @description Send it as `after` for the next page; absent on the last one. A page may be shorter than `limit` */
      next?: string
      statusLists: components['schemas']['ListedStatusList'][]
      /** @description The same as `statusLists` */
      records: components['schemas']['ListedStatusList'][]
    }
    ListedStatusList: {
      /** @description Publisher of the list */
      did: string
      statusListName: string
      /** @description The id of the list in its https address `/status-lists/{statusListId}` */
      statusListId: string
      /** @description The https address of the list, if the service has a public URL */
      statusListUrl?: string
      listType: string
      /** @description For the account that publishes it: entries that are given out, which includes those in use already and those that a restore skipped */
      allocated?: number
      /** @description For the account that publishes it: how many there are; absent if that is not known without reading the list */
      entries?: number
      /** @description If it is a member of a series */
      member?: {
        statusListName: string
        resourceType: string
        /** @description Name of the series */
        series: string
        /**
         * @description `ready`: the next one; `open`: indices are allocated in it; `full`: no longer; `closed`: and all of its credentials have expired
         * @enum {string}
         */
        state: 'ready' | 'open' | 'full' | 'closed'
        /**
         * Format: date-time
         * @description With a `period`: its credentials expire before this
         */
        expireBefore?: string
      }
      /** @description How many there are */
      versions: number
      resourceMetadata: components['schemas']['ResourceMetadata']
    }
    StatusListVersions: {
      /** @description Total number of matches; with `totalIsExact: false` a lower bound */
      total: number
      /**
       * @description Present if counting stopped at 10000
       * @constant
       */
      totalIsExact?: false
      /** @description Send it as `after` for the next page; absent on the last one. A page may be shorter than `limit` */
      next?: string
      versions: components['schemas']['ResourceMetadata'][]
    }
    StatusListPayments: {
      /** @description Total number of matches; with `totalIsExact: false` a lower bound */
      total: number
      /**
       * @description Present if counting stopped at 10000
       * @constant
       */
      totalIsExact?: false
      /** @description Send it as `after` for the next page; absent on the last one. A page may be shorter than `limit` */
      next?: string
      payments: components['schemas']['StatusListPayment'][]
    }
    StatusListPayment: {
      /** @description UUID; the memo of the transfer on the ledger */
      id: string
      network: string
      /** @description Publisher of the list */
      did: string
      statusListName: string
      feePaymentAddress: string
      /** @description With its unit: `20000000000ncheq` are 20 CHEQ */
      feePaymentAmount: string
      txHash: string
      /** Format: date-time */
      paidAt: string
    }
    StatusJob: {
      id: string
      /**
       * @description `done`: every row was applied or refused; `failed`, `cancelled`: it ended before that, or ends without any further row
       * @enum {string}
       */
      state: 'queued' | 'running' | 'paused' | 'done' | 'failed' | 'cancelled'
      /** @description Whether nothing is changed */
      dryRun: boolean
      /** @description Rows of the file, or credentials found so far; rows without anything in them do not count */
      rows: number
      /** @description Rows whose status the lists durably hold, changed or not */
      applied: number
      /** @description Rows that were refused; see the report */
      refused: number
      /** Format: date-time */
      createdAt: string
      /** Format: date-time */
      endedAt?: string
      /** @description Without a file: the reason that was given */
      reason?: string
      /** @description SHA-256 of the file, in hex */
      checksum?: string
      /** @description Why it stopped, or what is being retried */
      failure?: string
    }
    StatusJobList: {
      jobs: components['schemas']['StatusJob'][]
      /** @description Send it as `after` for the next page; absent on the last one. A page may be shorter than `limit` */
      next?: string
    }
    StatusJobReport: {
      id: string
      /** @description In the order in which they were refused */
      refused: {
        /** @description Line of the file; without a file, the number of the credential */
        line: number
        /** @description Error code, such as `not_registered` */
        reason: string
        /** @description Explanation of the refusal */
        message: string
        /** @description Without a file: hash of the credential in the register, in base64url */
        credentialHash?: string
      }[]
      /** @description Send it as `after` for the next page; absent on the last one. A page may be shorter than `limit` */
      next?: string
    }
    ReceiptVerification: {
      verified: boolean
      /** @description Its signed content */
      receipt?: {
        /** @description DID of the publisher, who signed it */
        iss: string
        /** @description When it was signed, in seconds since 1970 */
        iat: number
        /** @description Address of the status list, as credentials name it */
        list: string
        /** @description Indices of the call */
        indices: number[]
        /** @description Action of the call, such as `revoke` */
        action: string
        /** @description Value that each of the entries has in that version */
        status: number
        /** @description Id of the version of the list */
        resourceId: string
        /** @description Version set by the publisher; may be empty */
        resourceVersion: string
        /** @description SHA-256 of its content, in hex */
        checksum: string
      }
      /** @description Checks that were made: `format`, `signature`, `version` (the publisher has published it, with that checksum), `status` (its entries say so). For encrypted lists `status` is absent: only those who can read them can check their entries */
      checks: {
        /** @description `format`, `document`, `signature`, `validity`, `status`; of presentations `audience`, `nonce`, `credentials`, `holder` */
        check: string
        ok: boolean
        message?: string
        /**
         * @description Only where an algorithm, curve or key size is not supported, which `message` names
         * @constant
         */
        code?: 'algorithm_not_supported'
      }[]
      /** @description Why it did not verify */
      problems?: {
        path: string
        message: string
      }[]
    }
    /** @description A credential with its proof */
    VerifiableCredential: {
      '@context'?: string[]
      type?: string[]
      issuer?:
        | string
        | ({
            id: string
          } & {
            [key: string]: unknown
          })
      credentialSubject?:
        | {
            [key: string]: unknown
          }
        | {
            [key: string]: unknown
          }[]
      /** @description Type of an SD-JWT VC */
      vct?: string
      proof: {
        type: string
        /** @description The JWT, or the SD-JWT with its disclosures */
        jwt?: string
      } & {
        [key: string]: unknown
      }
    } & {
      [key: string]: unknown
    }
    CredentialVerification: {
      verified: boolean
      issuer?: string
      subject?: string
      /** @description Verification method that signed */
      signer?: string
      /** @description In a presentation: whether its subject is the holder, if it names a subject */
      holderIsSubject?: boolean
      /** @description Taken from what was signed, never from what the caller sent alongside */
      credential?: {
        [key: string]: unknown
      }
      /**
       * Format: date-time
       * @description When it expires, by the earliest of its members; absent: never
       */
      validUntil?: string
      /** @description Checks that were made, in order */
      checks: {
        /** @description `format`, `document`, `signature`, `validity`, `status`; of presentations `audience`, `nonce`, `credentials`, `holder` */
        check: string
        ok: boolean
        message?: string
        /**
         * @description Only where an algorithm, curve or key size is not supported, which `message` names
         * @constant
         */
        code?: 'algorithm_not_supported'
      }[]
      /** @description Result of each status entry, in order */
      statuses?: components['schemas']['CredentialStatusFinding'][]
      /** @description Why it did not verify */
      problems?: {
        path: string
        message: string
      }[]
    }
    CredentialStatusFinding: {
      /** @description Type of the entry */
      type?: string
      /** @description Absent for types without purposes */
      purpose?: string
      /** @description DID URL of the list, or its https address */
      list?: string
      index?: number
      /** @description Value of the entry */
      status?: number
      /** @description The value is 0: no purpose of the list applies, not only this one */
      valid?: boolean
      revoked?: boolean
      suspended?: boolean
      /** @description What the value means */
      message?: string
      /** @description What the list calls the value, if the credential calls it something else */
      listMessage?: string
      /** @description Why it could not be read */
      error?: string
      /** @description `status_issuer` if somebody signed the list who is no status issuer of the issuer */
      code?: string
    } & {
      [key: string]: unknown
    }
    CredentialUpdateResult: {
      /** @description The published list, in the form of its type; omitted with `prefer: return=minimal` */
      resource?: {
        [key: string]: unknown
      }
      resourceMetadata: components['schemas']['ResourceMetadata']
      /**
       * @description The update is durably stored
       * @constant
       */
      updated: true
      /** @description Whether the change is published; if not yet, it will be at `visibleFrom` */
      published: boolean
      /**
       * Format: date-time
       * @description If it is not published yet: when it will be
       */
      visibleFrom?: string
      /** @description Indices changed by this call, ascending; empty: no version was published, unless for new payment conditions */
      changed: number[]
      revoked?: boolean
      suspended?: boolean
      unsuspended?: boolean
      /** @description Of a custom state */
      status?: number
      /** @description Of a custom state */
      message?: string
      /** @description If requested: a compact JWS of the publisher that states what this call did */
      receipt?: string
      /**
       * @description If waited for: whether the static publication has this version, or it is pending
       * @enum {string}
       */
      publication?: 'done' | 'pending'
      /**
       * @description Network fee for what was written; absent if there was none. Callers who share a version each see its full cost
       * @example {
       *       "amount": "10000000000",
       *       "denom": "ncheq"
       *     }
       */
      cost?: {
        /** @description In the unit of `denom` */
        amount: string
        /**
         * @description 1,000,000,000 ncheq are one CHEQ
         * @constant
         */
        denom: 'ncheq'
      }
      /** @description Publisher of the list */
      did: string
      statusListName: string
      listType: string
      /** @description The entry of the list that the credential names */
      index: number
    }
    CredentialEntries: {
      entries: components['schemas']['RegisteredEntry'][]
      /** @description Send it as `after` for the next page; absent on the last one. A page may be shorter than `limit` */
      next?: string
    }
    RegisteredEntry: {
      /** @description Keyed hash of the id of the credential, in base64url: the same for the same id in this account */
      credentialHash: string
      /** @description Address of the status list */
      list: string
      index: number
      /** Format: date-time */
      issuedAt: string
      /**
       * Format: date-time
       * @description Absent: never
       */
      expiresAt?: string
      /** @description Of the entry in the published list: `valid`, `revoked`, `suspended`, or the message of its value; absent if the list cannot be read now */
      state?: string
    }
    PresentationResult: {
      /** @description Absent for an SD-JWT, which is itself presented */
      vp?: {
        '@context': string[]
        type: string[]
        holder?: string
        /** @description Credentials as JWT; in a `vp+jwt` or `ldp_vp` objects, which may envelop them */
        verifiableCredential: (
          | string
          | {
              [key: string]: unknown
            }
        )[]
        /** @description The Data Integrity proof of an `ldp_vp`, which is itself presented */
        proof?: {
          [key: string]: unknown
        }
      }
      /** @description Unix time in seconds from which the presentation is valid */
      nbf: number
      /** @description Unix time in seconds at which it expires */
      exp: number
      /** @description DID of the holder */
      iss: string
      /** @description The verifier, if named */
      aud: string[]
      nonce?: string
      proof: {
        type: string
        /** @description The signed presentation; absent for an `ldp_vp`, which is `vp` */
        jwt?: string
      } & {
        [key: string]: unknown
      }
      /** @description Says that the operation is for testing */
      note: string
    }
    PresentationVerification: {
      verified: boolean
      holder?: string
      signer?: string
      presentation?: {
        [key: string]: unknown
      }
      checks: {
        /** @description `format`, `document`, `signature`, `validity`, `status`; of presentations `audience`, `nonce`, `credentials`, `holder` */
        check: string
        ok: boolean
        message?: string
        /**
         * @description Only where an algorithm, curve or key size is not supported, which `message` names
         * @constant
         */
        code?: 'algorithm_not_supported'
      }[]
      credentials: components['schemas']['CredentialVerification'][]
      problems?: {
        path: string
        message: string
      }[]
    }
    AccountUsage: {
      dids: components['schemas']['UsedOf']
      keys: components['schemas']['UsedOf']
      statusLists: components['schemas']['UsedOf']
      /** @description Versions of DID-Linked Resources that are not status lists */
      resources: components['schemas']['UsedOf']
      /** @description Size of documents, resources, status lists and stored responses in the database */
      bytes: components['schemas']['UsedOf']
      apiKeys: components['schemas']['UsedOf']
      webhooks?: components['schemas']['UsedOf']
      /** @description Daily budgets, by network */
      networks: {
        [key: string]: components['schemas']['NetworkUsage']
      }
    }
    /** @description Current usage and its limit */
    UsedOf: {
      used: number
      limit: number
    }
    NetworkUsage: {
      /** @description Fees paid today (UTC) to read encrypted status lists of others, in CHEQ */
      feesToday?: components['schemas']['UsedOf']
      /** @description Fees of what the account has written today (UTC), in CHEQ; unlimited without `limit` */
      spendToday?: {
        used: number
        limit?: number
      }
    }
    AccountAudit: {
      entries: components['schemas']['AuditedEvent'][]
      /** @description Send it as `after` for the next page; absent on the last one. A page may be shorter than `limit` */
      next?: string
    }
    AuditedEvent: {
      /** @description Later rows have greater numbers */
      id: string
      /** Format: date-time */
      time: string
      /** @description See docs/audit.md; further ones may come */
      event: string
      /** @enum {string} */
      outcome: 'done' | 'refused'
      /** @description API key that did it; absent for tokens, operators and the service itself */
      apiKeyId?: string
      /** @description Identity provider whose token did it */
      issuer?: string
      /** @description Holder of the token */
      tokenSubject?: string
      /** @description Of the client, if known */
      address?: string
      /** @description Id of the request in the log of the service */
      requestId?: string
      /** @description What it concerns: a DID, a kid, an API key */
      subject?: string
      detail?: string
      /** @description How often it happened within a minute */
      occurrences: number
    }
    ApiKeyList: {
      /** @description Total number of matches; with `totalIsExact: false` a lower bound */
      total: number
      /**
       * @description Present if counting stopped at 10000
       * @constant
       */
      totalIsExact?: false
      /** @description Send it as `after` for the next page; absent on the last one. A page may be shorter than `limit` */
      next?: string
      apiKeys: components['schemas']['ListedApiKey'][]
    }
    ListedApiKey: {
      id: string
      /** @description Name of the account */
      account: string
      /** @description What the key is for */
      name?: string
      /** @description Prefix of the key, to recognise it by */
      shown: string
      /** @description Its scopes; absent: unrestricted */
      scopes?: string[]
      /** @description Networks it may write to; absent: all */
      networks?: ('testnet' | 'mainnet')[]
      createdAt: string
      expiresAt?: string
      revokedAt?: string
      /** @description Up to 75 seconds late, more if a process was killed; absent: never used */
      lastUsedAt?: string
      /** @description Id of the key that replaced it */
      rotatedTo?: string
      /** @description Whether this request uses it */
      current: boolean
    }
    /** @description A new API key of the account */
    CreatedApiKey: {
      id: string
      /** @description Name of the account */
      account: string
      /** @description What the key is for */
      name?: string
      /** @description Prefix of the key, to recognise it by */
      shown: string
      /** @description Its scopes; absent: unrestricted */
      scopes?: string[]
      /** @description Networks it may write to; absent: all */
      networks?: ('testnet' | 'mainnet')[]
      createdAt: string
      expiresAt?: string
      revokedAt?: string
      /** @description Up to 75 seconds late, more if a process was killed; absent: never used */
      lastUsedAt?: string
      /** @description Id of the key that replaced it */
      rotatedTo?: string
      /** @description The key in clear, shown only once */
      apiKey: string
    }
    /** @description An API key of the account; never in clear */
    ApiKey: {
      id: string
      /** @description Name of the account */
      account: string
      /** @description What the key is for */
      name?: string
      /** @description Prefix of the key, to recognise it by */
      shown: string
      /** @description Its scopes; absent: unrestricted */
      scopes?: string[]
      /** @description Networks it may write to; absent: all */
      networks?: ('testnet' | 'mainnet')[]
      createdAt: string
      expiresAt?: string
      revokedAt?: string
      /** @description Up to 75 seconds late, more if a process was killed; absent: never used */
      lastUsedAt?: string
      /** @description Id of the key that replaced it */
      rotatedTo?: string
    }
    ApiKeyRotation: {
      created: components['schemas']['CreatedApiKey']
      rotated: components['schemas']['ApiKey']
    }
    AccountEventList: {
      events: components['schemas']['AccountEvent'][]
      /** @description Whether more events follow */
      more: boolean
    }
    /** @description An event of the account */
    AccountEvent: {
      /** @description Opaque; later events have greater ids */
      id: string
      /** @description See docs/events.md; further types may come */
      type: string
      /** @description When it happened */
      time: string
      /** @description A DID, a DID URL, a kid or the id of an API key */
      subject: string
      /** @description Depends on the type */
      data?: {
        [key: string]: unknown
      }
    }
    WebhookList: {
      /** @description Total number of matches; with `totalIsExact: false` a lower bound */
      total: number
      /**
       * @description Present if counting stopped at 10000
       * @constant
       */
      totalIsExact?: false
      /** @description Send it as `after` for the next page; absent on the last one. A page may be shorter than `limit` */
      next?: string
      webhooks: components['schemas']['Webhook'][]
    }
    /** @description Receiver of events of the account */
    Webhook: {
      id: string
      url: string
      /** @description Types of events it receives; absent: all */
      types?: string[]
      createdAt: string
      /** @description Id of the API key that it belongs to, which created or resumed it; if known */
      apiKeyId?: string
      /**
       * @description suspended: the rights of its owner have ended, and its events wait; absent: it is revoked
       * @enum {string}
       */
      state?: 'active' | 'suspended'
      revokedAt?: string
      /**
       * @description Who revoked it: a receiver does so by responding with 410, the service if nobody resumed a suspended one
       * @enum {string}
       */
      revokedBy?: 'account' | 'receiver' | 'service'
      lastDeliveredAt?: string
      /** @description Error of the last attempt */
      lastFailure?: components['schemas']['DeliveryFailure']
      /** @description Pending events; 10000 means 10000 or more */
      waiting: number
      /** @description Events that could not be delivered; 10000 means 10000 or more */
      deadLetters: number
    }
    DeliveryFailure: {
      time: string
      /** @description Status of the response; absent: no response */
      status?: number
      reason: string
    }
    CreatedWebhook: {
      id: string
      url: string
      /** @description Types of events it receives; absent: all */
      types?: string[]
      createdAt: string
      /** @description Id of the API key that it belongs to, which created or resumed it; if known */
      apiKeyId?: string
      /**
       * @description suspended: the rights of its owner have ended, and its events wait; absent: it is revoked
       * @enum {string}
       */
      state?: 'active' | 'suspended'
      revokedAt?: string
      /**
       * @description Who revoked it: a receiver does so by responding with 410, the service if nobody resumed a suspended one
       * @enum {string}
       */
      revokedBy?: 'account' | 'receiver' | 'service'
      lastDeliveredAt?: string
      /** @description Error of the last attempt */
      lastFailure?: components['schemas']['DeliveryFailure']
      /** @description Pending events; 10000 means 10000 or more */
      waiting: number
      /** @description Events that could not be delivered; 10000 means 10000 or more */
      deadLetters: number
      /** @description Secret that deliveries are signed with, shown only once */
      secret: string
    }
    DeadLetterList: {
      deadLetters: components['schemas']['DeadLetter'][]
      more: boolean
    }
    /** @description An event that could not be delivered */
    DeadLetter: {
      event: components['schemas']['AccountEvent']
      attempts: number
      failure: components['schemas']['DeliveryFailure']
    }
    WebhookReplay: {
      /** @description How many */
      replayed: number
    }
    OperatedAccountList: {
      /** @description Total number of matches; with `totalIsExact: false` a lower bound */
      total: number
      /**
       * @description Present if counting stopped at 10000
       * @constant
       */
      totalIsExact?: false
      /** @description Send it as `after` for the next page; absent on the last one. A page may be shorter than `limit` */
      next?: string
      accounts: components['schemas']['OperatedAccount'][]
    }
    /** @description An account of the service */
    OperatedAccount: {
      /** @description By which the log of the service names the account */
      id: string
      name: string
      /** Format: date-time */
      createdAt: string
      /**
       * Format: date-time
       * @description Absent: it is not disabled
       */
      disabledAt?: string
      /**
       * Format: date-time
       * @description Its deletion began then and has not ended; it can only be continued
       */
      deletionBeganAt?: string
    }
    CreatedAccount: {
      account: components['schemas']['OperatedAccount']
      firstKey?: components['schemas']['CreatedApiKey']
    }
    AccountDeletion: {
      account: components['schemas']['OperatedAccount']
      deleted: boolean
      /** @description What the account has in this service */
      contents?: {
        /** @description What they are */
        name: string
        rows: number
        /** @enum {string} */
        fate: 'erased' | 'made nameless' | 'waited for'
      }[]
      /** @description Published lists that state an expiry, which nobody could sign again */
      lists?: {
        did: string
        statusListName: string
        /** Format: date-time */
        validUntil: string
      }[]
      /**
       * @description Present if there are more DIDs or lists than were looked at
       * @constant
       */
      listsAreAll?: false
    }
    SessionList: {
      sessions: components['schemas']['ListedSession'][]
      /** @description Send it as `after` for the next page; absent on the last one. A page may be shorter than `limit` */
      next?: string
    }
    /** @description A session of the console */
    ListedSession: {
      id: string
      /** @description Identity provider that it began at */
      issuer: string
      subject: string
      /** @description Name of the account */
      account: string
      /** @description By the rules of now; absent: not limited; none if no rule applies any more */
      scopes?: string[]
      /** Format: date-time */
      createdAt: string
      /** Format: date-time */
      usedAt: string
      /** Format: date-time */
      endsAt: string
    }
    EndedSession: {
      id: string
      /** @constant */
      ended: true
    }
    ServiceHealth: {
      /**
       * @description The worst level of the findings
       * @enum {string}
       */
      level: 'ok' | 'warn' | 'fail'
      /**
       * Format: date-time
       * @description When the findings were made; they are shared for a minute
       */
      examinedAt: string
      /** @description What `vidimus doctor` reports */
      findings: {
        name: string
        /** @enum {string} */
        level: 'ok' | 'warn' | 'fail'
        message: string
        advice?: string
      }[]
      /** @description The database of the service */
      database: {
        /** @enum {string} */
        dialect: 'sqlite' | 'postgres'
        readOnly: boolean
        /** @description Migrations of this version of the service */
        migrations: number
        pendingMigrations: number
        /** @description Transactions waiting for their turn in this process */
        waitingWrites?: number
        /** @description Open connections of this process to PostgreSQL */
        connections?: number
        /** @description How far a standby is behind */
        replicationLagSeconds?: number
        /** @description Free space on the disk of the SQLite file */
        diskAvailableBytes?: number
      }
      /** @description Cheqd networks; none for embedded ledgers */
      networks: {
        network: string
        /** @description Messages to the network that are not settled, by state */
        outbox?: {
          [key: string]: number
        }
        /** @description Age of the oldest of these messages; 0 if there are none */
        outboxOldestSeconds?: number
        /** @description Age of the newest block known here */
        blockAgeSeconds?: number
        /** @description Height of the newest block known here */
        blockHeight?: number
        /** @description Balance of the payer, in CHEQ */
        payerBalanceCheq?: number
        /** @description What accounts have spent today (UTC) on writes, in CHEQ */
        spendTodayCheq?: number
      }[]
      /** @description The static publication; absent: none is configured */
      publication?: {
        /** @description Age of the oldest change that is not published */
        lagSeconds?: number
        /** @description Failed attempts of this process */
        failures?: number
      }
      /** @description Work on status lists, of all accounts */
      lists: {
        /** @description How long the version of a paced list has been due */
        beatLagSeconds?: number
        /** @description Changed entries that wait for the next version of their list */
        waitingChanges?: number
        /** @description Age of the oldest of these changes */
        oldestWaitingSeconds?: number
        /** @description Mass changes that are queued or running */
        openJobs?: number
      }
      /** @description What runs, with the packages that agent.yml names */
      versions: {
        service: string
        node: string
        packages: {
          name: string
          version: string
        }[]
      }
    }
    WorkList: {
      items: components['schemas']['ListedWork'][]
      /** @description Send it as `after` for the next page; absent on the last one. A page may be shorter than `limit` */
      next?: string
    }
    /** @description Something that waits */
    ListedWork: {
      id: string
      /** @enum {string} */
      kind:
        | 'account-deletion'
        | 'delivery'
        | 'did-creation'
        | 'event'
        | 'job'
        | 'key-erasure'
        | 'ledger-change'
        | 'publication'
        | 'renewal'
        | 'rotation'
        | 'series'
        | 'slot'
      /** @description A list, a DID, a job, a webhook; never the id of a credential */
      subject: string
      /**
       * @description `failed`: its last attempt has failed; it is repeated at `dueAt`
       * @enum {string}
       */
      state: 'due' | 'running' | 'waiting' | 'paused' | 'failed'
      /**
       * Format: date-time
       * @description Since when it is to be done
       */
      since: string
      /**
       * Format: date-time
       * @description While it runs, when the claim of its process ends; while it is paused, the year 9999
       */
      dueAt: string
      /** @description That failed since the last success */
      attempts: number
      /** @description Why the last attempt failed */
      failure?: string
      /** @description What can be done with it now */
      can: ('retry' | 'pause' | 'resume' | 'cancel')[]
    }
    ChangedWork: {
      id: string
      item?: components['schemas']['ListedWork']
    }
    OperatedWorkList: {
      items: components['schemas']['OperatedWork'][]
      /** @description Send it as `after` for the next page; absent on the last one. A page may be shorter than `limit` */
      next?: string
    }
    /** @description Something that waits, of any account */
    OperatedWork: {
      id: string
      /** @enum {string} */
      kind:
        | 'account-deletion'
        | 'delivery'
        | 'did-creation'
        | 'event'
        | 'job'
        | 'key-erasure'
        | 'ledger-change'
        | 'publication'
        | 'renewal'
        | 'rotation'
        | 'series'
        | 'slot'
      /** @description A list, a DID, a job, a webhook; never the id of a credential */
      subject: string
      /**
       * @description `failed`: its last attempt has failed; it is repeated at `dueAt`
       * @enum {string}
       */
      state: 'due' | 'running' | 'waiting' | 'paused' | 'failed'
      /**
       * Format: date-time
       * @description Since when it is to be done
       */
      since: string
      /**
       * Format: date-time
       * @description While it runs, when the claim of its process ends; while it is paused, the year 9999
       */
      dueAt: string
      /** @description That failed since the last success */
      attempts: number
      /** @description Why the last attempt failed */
      failure?: string
      /** @description What can be done with it now */
      can: ('retry' | 'pause' | 'resume' | 'cancel')[]
      /** @description Name of its account, or of the first that holds its DID; absent: it belongs to the service */
      account?: string
    }
    ChangedOperatedWork: {
      id: string
      item?: components['schemas']['OperatedWork']
    }
    /** @description The state after a completed DID operation */
    RegistrarState: {
      jobId: null
      didState: {
        /** @constant */
        state: 'finished'
        did: string
        /** @description The current document; absent if it cannot be resolved, such as a did:web that is not yet published */
        didDocument?: {
          [key: string]: unknown
        }
      }
      didRegistrationMetadata: components['schemas']['DidRegistrationMetadata']
      /** @description Of DID resolution */
      didDocumentMetadata: {
        [key: string]: unknown
      }
      /**
       * @description Network fee for what was written; absent if there was none. Callers who share a version each see its full cost
       * @example {
       *       "amount": "10000000000",
       *       "denom": "ncheq"
       *     }
       */
      cost?: {
        /** @description In the unit of `denom` */
        amount: string
        /**
         * @description 1,000,000,000 ncheq are one CHEQ
         * @constant
         */
        denom: 'ncheq'
      }
    }
    DidRegistrationMetadata: {
      /** @description The provider of the DID */
      provider?: string
      /** @description `kid` of the key that controls the DID */
      controllerKeyId?: string
      /** @description Keys of the DID that the service holds; never their private keys */
      keys?: components['schemas']['ManagedKey'][]
    }
    /** @description The state after a failed DID operation, with the reason */
    RegistrarFailure: {
      /** @description One sentence for humans that names the field and the problem */
      error: string
      /** @description Stable code, for programs */
      code: string
      /** @description Id of the request in the log */
      requestId: string
      /** @description All problems, at most 100 */
      details?: {
        /** @description Field, such as `indices[2]`; `''` for the whole input */
        path: string
        message: string
        /**
         * @description Of `unauthenticated`
         * @enum {string}
         */
        reason?: 'missing' | 'malformed' | 'unknown' | 'conflict'
        /** @description Of `quota_exceeded`: before the request */
        used?: number
        /** @description Of `quota_exceeded` */
        limit?: number
      }[]
      jobId: null
      didState: {
        /** @constant */
        state: 'failed'
        /** @description As it was sent */
        did?: string
        /** @description The same as `code` */
        error: string
        /** @description The same as `error` above */
        reason: string
      }
      didRegistrationMetadata: components['schemas']['DidRegistrationMetadata']
      /** @description Of DID resolution */
      didDocumentMetadata: {
        [key: string]: unknown
      }
    }
    RegistrarProperties: {
      [key: string]: {
        /** @description Full name of the DID provider */
        provider: string
        /**
         * @description Keys are created and kept by the service
         * @constant
         */
        secretMode: 'internal'
        creatable: boolean
        /** @description Whether the provider can replace documents */
        updatable: boolean
        deactivatable: boolean
        /** @description Whether the provider refuses options that it does not know; others may ignore them */
        optionsChecked: boolean
      }
    }
    /** @description The error, as an error of the service and as problem details */
    VcApiRefusal: {
      /** @description One sentence for humans that names the field and the problem */
      error: string
      /** @description Stable code, for programs */
      code: string
      /** @description Id of the request in the log */
      requestId: string
      /** @description All problems, at most 100 */
      details?: {
        /** @description Field, such as `indices[2]`; `''` for the whole input */
        path: string
        message: string
        /**
         * @description Of `unauthenticated`
         * @enum {string}
         */
        reason?: 'missing' | 'malformed' | 'unknown' | 'conflict'
        /** @description Of `quota_exceeded`: before the request */
        used?: number
        /** @description Of `quota_exceeded` */
        limit?: number
      }[]
      /** @description URL of the kind of problem */
      type: string
      title: string
      detail: string
    }
    /** @description How a credential was verified (VCALM) */
    VcApiCredentialResult: {
      verified: boolean
      /** @description As it was sent */
      credential?: {
        [key: string]: unknown
      }
      problemDetails?: components['schemas']['ProblemDetails'][]
      results?: {
        validFrom?: {
          verified: boolean
          input: unknown
        }
        validUntil?: {
          verified: boolean
          input: unknown
        }
        credentialStatus?: {
          verified: boolean
          input: unknown
          value?: number
        }[]
        proof?: {
          verified: boolean
          input: unknown
        }[]
      }
    }
    /** @description One problem (RFC 9457) */
    ProblemDetails: {
      /** @description URL of the kind of problem */
      type: string
      title: string
      detail: string
    }
    /** @description How a presentation was verified (VCALM) */
    VcApiPresentationResult: {
      verified: boolean
      /** @description As it was sent */
      verifiablePresentation?: {
        [key: string]: unknown
      }
      problemDetails?: components['schemas']['ProblemDetails'][]
      results: {
        presentation: {
          challenge?: {
            verified: boolean
            input: unknown
          }
          domain?: {
            verified: boolean
            input: unknown
          }
          holder?: {
            verified: boolean
            input: unknown
          }
          proof?: {
            verified: boolean
            input: unknown
          }[]
        }
        credentials: components['schemas']['VcApiCredentialResult'][]
      }
    }
    DidResolutionResult: {
      /** @constant */
      '@context': 'https://w3id.org/did-resolution/v1'
      didDocument: components['schemas']['PublishedDidDocument'] | null
      didResolutionMetadata: components['schemas']['DidResolutionMetadata']
      didDocumentMetadata: components['schemas']['DidDocumentMetadata']
    }
    /** @description A DID document (DID Core) */
    PublishedDidDocument: {
      id: string
    } & {
      [key: string]: unknown
    }
    DidResolutionMetadata: {
      /** @description Media type of the result; absent if none is acceptable */
      contentType?: string
      /** @enum {string} */
      error?:
        | 'invalidDid'
        | 'invalidDidUrl'
        | 'invalidOptions'
        | 'notFound'
        | 'representationNotSupported'
        | 'methodNotSupported'
        | 'unsupportedPublicKeyType'
        | 'internalError'
      /** Format: date-time */
      retrieved: string
      did?: {
        didString: string
        methodSpecificId: string
        method: string
      }
      /** @description Reason, for humans; only with an error */
      message?: string
    }
    DidDocumentMetadata: {
      /** Format: date-time */
      created?: string
      /** Format: date-time */
      updated?: string
      deactivated?: boolean
      versionId?: string
      nextVersionId?: string
      previousVersionId?: string
      linkedResourceMetadata?: components['schemas']['ResourceMetadata'][]
    } & {
      [key: string]: unknown
    }
    DidUrlDereferencingResult: {
      /** @constant */
      '@context': 'https://w3id.org/did-resolution/v1'
      dereferencingMetadata: components['schemas']['DidResolutionMetadata']
      /** @description JSON as it is, text, or base64 */
      contentStream: unknown
      contentMetadata: {
        [key: string]: unknown
      }
    }
    /** @description Token Status List, section 9 */
    StatusListAggregation: {
      status_lists: string[]
    }
    Readiness: {
      ready: boolean
      /** @enum {string} */
      state: 'starting' | 'running' | 'stopping'
      durationMs: number
      checks: {
        name: string
        ok: boolean
        message?: string
        /**
         * @description The failure does not affect reads: the service is still ready
         * @constant
         */
        warning?: true
        /**
         * @description Of a ledger: its DIDs are not on a public network and resolve only at this installation
         * @constant
         */
        local?: true
      }[]
    }
  }
  responses: {
    /** @description The input is invalid, or names something that the account does not have */
    BadRequest: {
      headers: {
        [name: string]: unknown
      }
      content: {
        /**
         * @example {
         *       "error": "indices[2]: is outside the list (0 to 131071)",
         *       "code": "index_out_of_range",
         *       "requestId": "6f1c8f5e-3a52-4d0c-9f0c-2d7f7b7c9a11",
         *       "details": [
         *         {
         *           "path": "indices[2]",
         *           "message": "is outside the list (0 to 131071)"
         *         }
         *       ]
         *     }
         */
        'application/json': components['schemas']['Error']
      }
    }
    /** @description The access token is missing or invalid */
    Unauthenticated: {
      headers: {
        [name: string]: unknown
      }
      content: {
        /**
         * @example {
         *       "error": "the access token is missing or invalid: x-api-key: must be an API key",
         *       "code": "unauthenticated",
         *       "requestId": "6f1c8f5e-3a52-4d0c-9f0c-2d7f7b7c9a11",
         *       "details": [
         *         {
         *           "path": "x-api-key",
         *           "message": "must be an API key",
         *           "reason": "malformed"
         *         }
         *       ]
         *     }
         */
        'application/json': components['schemas']['Error']
      }
    }
    /** @description The API key lacks the right to do this */
    Forbidden: {
      headers: {
        [name: string]: unknown
      }
      content: {
        /**
         * @example {
         *       "error": "this API key lacks a required scope: dids or did-create",
         *       "code": "forbidden",
         *       "requestId": "6f1c8f5e-3a52-4d0c-9f0c-2d7f7b7c9a11"
         *     }
         */
        'application/json': components['schemas']['Error']
      }
    }
    /** @description Too many requests */
    TooManyRequests: {
      headers: {
        /** @description Seconds to wait before the next request */
        'retry-after'?: number
        [name: string]: unknown
      }
      content: {
        /**
         * @example {
         *       "error": "too many requests; try again in 3 s",
         *       "code": "too_many_requests",
         *       "requestId": "6f1c8f5e-3a52-4d0c-9f0c-2d7f7b7c9a11"
         *     }
         */
        'application/json': components['schemas']['Error']
      }
    }
    /** @description Not found */
    NotFound: {
      headers: {
        [name: string]: unknown
      }
      content: {
        /**
         * @example {
         *       "error": "the account holds no such key",
         *       "code": "key_not_found",
         *       "requestId": "6f1c8f5e-3a52-4d0c-9f0c-2d7f7b7c9a11"
         *     }
         */
        'application/json': components['schemas']['Error']
      }
    }
    /** @description The path exists, but not with this method */
    MethodNotAllowed: {
      headers: {
        [name: string]: unknown
      }
      content: {
        /**
         * @example {
         *       "error": "/health/live takes GET, HEAD, not POST",
         *       "code": "method_not_allowed",
         *       "requestId": "6f1c8f5e-3a52-4d0c-9f0c-2d7f7b7c9a11"
         *     }
         */
        'application/json': components['schemas']['Error']
      }
    }
    /** @description No acceptable form is available */
    NotAcceptable: {
      headers: {
        [name: string]: unknown
      }
      content: {
        /**
         * @example {
         *       "error": "accept: names no available form of this list: application/statuslist+jwt, application/statuslist+cwt",
         *       "code": "not_acceptable",
         *       "requestId": "6f1c8f5e-3a52-4d0c-9f0c-2d7f7b7c9a11"
         *     }
         */
        'application/json': components['schemas']['Error']
      }
    }
    /** @description The request did not arrive in time; nothing is changed */
    TooSlow: {
      headers: {
        [name: string]: unknown
      }
      content: {
        /**
         * @example {
         *       "error": "the body did not arrive within 30000 ms",
         *       "code": "request_timeout",
         *       "requestId": "6f1c8f5e-3a52-4d0c-9f0c-2d7f7b7c9a11"
         *     }
         */
        'application/json': components['schemas']['Error']
      }
    }
    /** @description The body is too large */
    TooLarge: {
      headers: {
        [name: string]: unknown
      }
      content: {
        /**
         * @example {
         *       "error": "the body is larger than the limit of 1048576 bytes",
         *       "code": "body_too_large",
         *       "requestId": "6f1c8f5e-3a52-4d0c-9f0c-2d7f7b7c9a11"
         *     }
         */
        'application/json': components['schemas']['Error']
      }
    }
    /** @description The content type of the body is not supported */
    UnsupportedMediaType: {
      headers: {
        [name: string]: unknown
      }
      content: {
        /**
         * @example {
         *       "error": "content-type: must be application/json or application/x-www-form-urlencoded",
         *       "code": "unsupported_media_type",
         *       "requestId": "6f1c8f5e-3a52-4d0c-9f0c-2d7f7b7c9a11"
         *     }
         */
        'application/json': components['schemas']['Error']
      }
    }
    /** @description Internal error */
    InternalError: {
      headers: {
        [name: string]: unknown
      }
      content: {
        /**
         * @example {
         *       "error": "internal error",
         *       "code": "internal_error",
         *       "requestId": "6f1c8f5e-3a52-4d0c-9f0c-2d7f7b7c9a11"
         *     }
         */
        'application/json': components['schemas']['Error']
      }
    }
    /** @description The service is starting, or cannot reach what it needs */
    Unavailable: {
      headers: {
        [name: string]: unknown
      }
      content: {
        /**
         * @example {
         *       "error": "the service is starting; try again in a moment",
         *       "code": "unavailable",
         *       "requestId": "6f1c8f5e-3a52-4d0c-9f0c-2d7f7b7c9a11"
         *     }
         */
        'application/json': components['schemas']['Error']
      }
    }
  }
  parameters: never
  requestBodies: never
  headers: never
  pathItems: never
}
export type $defs = Record<string, never>
export interface operations {
  'did-create': {
    parameters: {
      query?: never
      header?: {
        /** @description Chosen by the client, for example a UUID: a repeated request with the same key gets the original response. With a different request the same key is rejected (`idempotency_key_reused`). */
        'idempotency-key'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody?: {
      content: {
        'application/json': {
          /**
           * @description Network of did:cheqd
           * @enum {string}
           */
          network?: 'testnet' | 'mainnet'
          /** @description Provider of DIDs; default `did:cheqd` */
          providerId?: string
          /**
           * @description Format of the method-specific identifier of did:cheqd; default `uuid`
           * @enum {string}
           */
          identifierFormatType?: 'uuid' | 'base58btc'
          /**
           * @description Type of the verification method; default `Ed25519VerificationKey2020`
           * @enum {string}
           */
          verificationMethodType?:
            'Ed25519VerificationKey2020' | 'JsonWebKey2020' | 'Ed25519VerificationKey2018'
          /**
           * @description Services of the DID document
           * @example [
           *       {
           *         "idFragment": "service-1",
           *         "type": "LinkedDomains",
           *         "serviceEndpoint": [
           *           "https://example.com"
           *         ]
           *       }
           *     ]
           */
          service?: {
            /** @description Becomes `<did>#<idFragment>` */
            idFragment?: string
            /** @description `<did>#<fragment>`, instead of idFragment; at most 512 bytes of UTF-8 */
            id?: string
            /** @description A service type of the DID specification registries; at most 255 bytes of UTF-8 */
            type: string
            /** @description Service endpoints, at least one */
            serviceEndpoint: string[]
            /** @description Distinguishes several did-communication endpoints */
            priority?: number
            /** @description Default recipients of the endpoint */
            recipientKeys?: string[]
            /** @description Routing hops between sender and recipients */
            routingKeys?: string[]
            /** @description Media types that the endpoint accepts */
            accept?: string[]
          }[]
          /** @description Public key (hex) of a key of the account; default: a new Ed25519 key */
          key?: string
          /** @description Name of the configured KMS for the key; default: that of the service */
          kms?: string
          /** @description Contexts of the DID document; required ones are added */
          '@context'?: string[]
          /** @description The same fields as beside it; must match them */
          options?: {
            /** @description Public key (hex) of a key of the account; default: a new Ed25519 key */
            key?: string
            /**
             * @description Type of the verification method; default `Ed25519VerificationKey2020`
             * @enum {string}
             */
            verificationMethodType?:
              'Ed25519VerificationKey2020' | 'JsonWebKey2020' | 'Ed25519VerificationKey2018'
            /**
             * @description Type of the new key; for providers other than did:cheqd. Default `Ed25519`
             * @enum {string}
             */
            keyType?: 'Ed25519' | 'Secp256k1' | 'Secp256r1' | 'X25519'
          }
          /** @description A DID document without verification methods */
          didDocument?: {
            /** @description Contexts of the DID document */
            '@context'?: string[]
            /**
             * @description Must be valid for the network and unused; default: a new one
             * @example did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0
             */
            id?: string
            /** @description DIDs that may change the document */
            controllers?: string[]
            /** @description Alias of controllers */
            controller?: string[]
            /** @description Other identifiers of the subject */
            alsoKnownAs?: string[]
            /**
             * @description Services of the DID document
             * @example [
             *       {
             *         "idFragment": "service-1",
             *         "type": "LinkedDomains",
             *         "serviceEndpoint": [
             *           "https://example.com"
             *         ]
             *       }
             *     ]
             */
            service?: {
              /** @description Becomes `<did>#<idFragment>` */
              idFragment?: string
              /** @description `<did>#<fragment>`, instead of idFragment; at most 512 bytes of UTF-8 */
              id?: string
              /** @description A service type of the DID specification registries; at most 255 bytes of UTF-8 */
              type: string
              /** @description Service endpoints, at least one */
              serviceEndpoint: string[]
              /** @description Distinguishes several did-communication endpoints */
              priority?: number
              /** @description Default recipients of the endpoint */
              recipientKeys?: string[]
              /** @description Routing hops between sender and recipients */
              routingKeys?: string[]
              /** @description Media types that the endpoint accepts */
              accept?: string[]
            }[]
            /** @description Must be empty or omitted: the service adds that of its key */
            verificationMethod?: unknown[]
            /** @description Verification relationship "authentication"; may only refer to the verification method of the DID */
            authentication?: string[]
            /** @description Verification relationship "assertionMethod"; may only refer to the verification method of the DID */
            assertionMethod?: string[]
            /** @description Verification relationship "capabilityInvocation"; may only refer to the verification method of the DID */
            capabilityInvocation?: string[]
            /** @description Verification relationship "capabilityDelegation"; may only refer to the verification method of the DID */
            capabilityDelegation?: string[]
            /** @description Verification relationship "keyAgreement"; may only refer to the verification method of the DID */
            keyAgreement?: string[]
          }
        }
        'application/x-www-form-urlencoded': {
          /**
           * @description Network of did:cheqd
           * @enum {string}
           */
          network?: 'testnet' | 'mainnet'
          /** @description Provider of DIDs; default `did:cheqd` */
          providerId?: string
          /**
           * @description Format of the method-specific identifier of did:cheqd; default `uuid`
           * @enum {string}
           */
          identifierFormatType?: 'uuid' | 'base58btc'
          /**
           * @description Type of the verification method; default `Ed25519VerificationKey2020`
           * @enum {string}
           */
          verificationMethodType?:
            'Ed25519VerificationKey2020' | 'JsonWebKey2020' | 'Ed25519VerificationKey2018'
          /**
           * @description Services of the DID document
           * @example [
           *       {
           *         "idFragment": "service-1",
           *         "type": "LinkedDomains",
           *         "serviceEndpoint": [
           *           "https://example.com"
           *         ]
           *       }
           *     ]
           */
          service?: {
            /** @description Becomes `<did>#<idFragment>` */
            idFragment?: string
            /** @description `<did>#<fragment>`, instead of idFragment; at most 512 bytes of UTF-8 */
            id?: string
            /** @description A service type of the DID specification registries; at most 255 bytes of UTF-8 */
            type: string
            /** @description Service endpoints, at least one */
            serviceEndpoint: string[]
            /** @description Distinguishes several did-communication endpoints */
            priority?: number
            /** @description Default recipients of the endpoint */
            recipientKeys?: string[]
            /** @description Routing hops between sender and recipients */
            routingKeys?: string[]
            /** @description Media types that the endpoint accepts */
            accept?: string[]
          }[]
          /** @description Public key (hex) of a key of the account; default: a new Ed25519 key */
          key?: string
          /** @description Name of the configured KMS for the key; default: that of the service */
          kms?: string
          /** @description Contexts of the DID document; required ones are added */
          '@context'?: string[]
          /** @description The same fields as beside it; must match them */
          options?: {
            /** @description Public key (hex) of a key of the account; default: a new Ed25519 key */
            key?: string
            /**
             * @description Type of the verification method; default `Ed25519VerificationKey2020`
             * @enum {string}
             */
            verificationMethodType?:
              'Ed25519VerificationKey2020' | 'JsonWebKey2020' | 'Ed25519VerificationKey2018'
            /**
             * @description Type of the new key; for providers other than did:cheqd. Default `Ed25519`
             * @enum {string}
             */
            keyType?: 'Ed25519' | 'Secp256k1' | 'Secp256r1' | 'X25519'
          }
          /** @description A DID document without verification methods */
          didDocument?: {
            /** @description Contexts of the DID document */
            '@context'?: string[]
            /**
             * @description Must be valid for the network and unused; default: a new one
             * @example did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0
             */
            id?: string
            /** @description DIDs that may change the document */
            controllers?: string[]
            /** @description Alias of controllers */
            controller?: string[]
            /** @description Other identifiers of the subject */
            alsoKnownAs?: string[]
            /**
             * @description Services of the DID document
             * @example [
             *       {
             *         "idFragment": "service-1",
             *         "type": "LinkedDomains",
             *         "serviceEndpoint": [
             *           "https://example.com"
             *         ]
             *       }
             *     ]
             */
            service?: {
              /** @description Becomes `<did>#<idFragment>` */
              idFragment?: string
              /** @description `<did>#<fragment>`, instead of idFragment; at most 512 bytes of UTF-8 */
              id?: string
              /** @description A service type of the DID specification registries; at most 255 bytes of UTF-8 */
              type: string
              /** @description Service endpoints, at least one */
              serviceEndpoint: string[]
              /** @description Distinguishes several did-communication endpoints */
              priority?: number
              /** @description Default recipients of the endpoint */
              recipientKeys?: string[]
              /** @description Routing hops between sender and recipients */
              routingKeys?: string[]
              /** @description Media types that the endpoint accepts */
              accept?: string[]
            }[]
            /** @description Must be empty or omitted: the service adds that of its key */
            verificationMethod?: unknown[]
            /** @description Verification relationship "authentication"; may only refer to the verification method of the DID */
            authentication?: string[]
            /** @description Verification relationship "assertionMethod"; may only refer to the verification method of the DID */
            assertionMethod?: string[]
            /** @description Verification relationship "capabilityInvocation"; may only refer to the verification method of the DID */
            capabilityInvocation?: string[]
            /** @description Verification relationship "capabilityDelegation"; may only refer to the verification method of the DID */
            capabilityDelegation?: string[]
            /** @description Verification relationship "keyAgreement"; may only refer to the verification method of the DID */
            keyAgreement?: string[]
          }
        }
      }
    }
    responses: {
      /** @description Done */
      200: {
        headers: {
          /** @description `true` if this is the response of an earlier request; absent otherwise */
          'idempotency-replayed'?: boolean
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "did": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *       "controllerKeyId": "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
           *       "keys": [
           *         {
           *           "kid": "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
           *           "type": "Ed25519",
           *           "publicKeyHex": "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
           *           "kms": "local"
           *         }
           *       ],
           *       "services": [
           *         {
           *           "id": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0#service-1",
           *           "type": "LinkedDomains",
           *           "serviceEndpoint": [
           *             "https://example.com"
           *           ]
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['DidResult']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthenticated']
      403: components['responses']['Forbidden']
      408: components['responses']['TooSlow']
      413: components['responses']['TooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalError']
      503: components['responses']['Unavailable']
    }
  }
  'did-import': {
    parameters: {
      query?: never
      header?: {
        /** @description Chosen by the client, for example a UUID: a repeated request with the same key gets the original response. With a different request the same key is rejected (`idempotency_key_reused`). */
        'idempotency-key'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /**
           * @description The DID; it must resolve
           * @example did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0
           */
          did: string
          /** @description Key that controls the DID; default: the first one */
          controllerKeyId?: string
          /** @description Keys whose public keys are in the DID document. Without any, the account must already hold one of them */
          keys?: {
            /** @description Label of the key, unique within the account */
            alias?: string
            /**
             * @description Type of the key
             * @default Ed25519
             * @enum {string}
             */
            type?: 'Ed25519' | 'Secp256k1' | 'Secp256r1' | 'X25519'
            /**
             * Format: password
             * @description Private key (hex): 32 bytes; for Ed25519 also 64, seed and public key
             */
            privateKeyHex: string
            /** @description Must be false or omitted: encrypted transfer is not supported */
            encrypted?: boolean
          }[]
        }
        'application/x-www-form-urlencoded': {
          /**
           * @description The DID; it must resolve
           * @example did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0
           */
          did: string
          /** @description Key that controls the DID; default: the first one */
          controllerKeyId?: string
          /** @description Keys whose public keys are in the DID document. Without any, the account must already hold one of them */
          keys?: {
            /** @description Label of the key, unique within the account */
            alias?: string
            /**
             * @description Type of the key
             * @default Ed25519
             * @enum {string}
             */
            type?: 'Ed25519' | 'Secp256k1' | 'Secp256r1' | 'X25519'
            /**
             * Format: password
             * @description Private key (hex): 32 bytes; for Ed25519 also 64, seed and public key
             */
            privateKeyHex: string
            /** @description Must be false or omitted: encrypted transfer is not supported */
            encrypted?: boolean
          }[]
        }
      }
    }
    responses: {
      /** @description Done */
      200: {
        headers: {
          /** @description `true` if this is the response of an earlier request; absent otherwise */
          'idempotency-replayed'?: boolean
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "did": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *       "controllerKeyId": "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
           *       "keys": [
           *         {
           *           "kid": "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
           *           "type": "Ed25519",
           *           "publicKeyHex": "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
           *           "kms": "local"
           *         }
           *       ],
           *       "services": [
           *         {
           *           "id": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0#service-1",
           *           "type": "LinkedDomains",
           *           "serviceEndpoint": [
           *             "https://example.com"
           *           ]
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['DidResult']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthenticated']
      403: components['responses']['Forbidden']
      408: components['responses']['TooSlow']
      413: components['responses']['TooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalError']
      503: components['responses']['Unavailable']
    }
  }
  'did-update': {
    parameters: {
      query?: never
      header?: {
        /** @description Chosen by the client, for example a UUID: a repeated request with the same key gets the original response. With a different request the same key is rejected (`idempotency_key_reused`). */
        'idempotency-key'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody?: {
      content: {
        'application/json': {
          /**
           * @description The DID; required unless `didDocument` is given
           * @example did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0
           */
          did?: string
          /**
           * @description Services of the DID document
           * @example [
           *       {
           *         "idFragment": "service-1",
           *         "type": "LinkedDomains",
           *         "serviceEndpoint": [
           *           "https://example.com"
           *         ]
           *       }
           *     ]
           */
          service?: {
            /** @description Becomes `<did>#<idFragment>` */
            idFragment?: string
            /** @description `<did>#<fragment>`, instead of idFragment; at most 512 bytes of UTF-8 */
            id?: string
            /** @description A service type of the DID specification registries; at most 255 bytes of UTF-8 */
            type: string
            /** @description Service endpoints, at least one */
            serviceEndpoint: string[]
            /** @description Distinguishes several did-communication endpoints */
            priority?: number
            /** @description Default recipients of the endpoint */
            recipientKeys?: string[]
            /** @description Routing hops between sender and recipients */
            routingKeys?: string[]
            /** @description Media types that the endpoint accepts */
            accept?: string[]
          }[]
          /** @description All verification methods of the document */
          verificationMethod?: {
            [key: string]: unknown
          }[]
          /** @description All references of the relationship "authentication" */
          authentication?: string[]
          /** @description The complete new document with its `id`, instead of the parts above */
          didDocument?: {
            [key: string]: unknown
          }
          /** @description Public keys (hex) of the account to sign with. Optional: all of its keys in the documents sign anyway */
          publicKeyHexs?: string[]
        }
        'application/x-www-form-urlencoded': {
          /**
           * @description The DID; required unless `didDocument` is given
           * @example did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0
           */
          did?: string
          /**
           * @description Services of the DID document
           * @example [
           *       {
           *         "idFragment": "service-1",
           *         "type": "LinkedDomains",
           *         "serviceEndpoint": [
           *           "https://example.com"
           *         ]
           *       }
           *     ]
           */
          service?: {
            /** @description Becomes `<did>#<idFragment>` */
            idFragment?: string
            /** @description `<did>#<fragment>`, instead of idFragment; at most 512 bytes of UTF-8 */
            id?: string
            /** @description A service type of the DID specification registries; at most 255 bytes of UTF-8 */
            type: string
            /** @description Service endpoints, at least one */
            serviceEndpoint: string[]
            /** @description Distinguishes several did-communication endpoints */
            priority?: number
            /** @description Default recipients of the endpoint */
            recipientKeys?: string[]
            /** @description Routing hops between sender and recipients */
            routingKeys?: string[]
            /** @description Media types that the endpoint accepts */
            accept?: string[]
          }[]
          /** @description All verification methods of the document */
          verificationMethod?: {
            [key: string]: unknown
          }[]
          /** @description All references of the relationship "authentication" */
          authentication?: string[]
          /** @description The complete new document with its `id`, instead of the parts above */
          didDocument?: {
            [key: string]: unknown
          }
          /** @description Public keys (hex) of the account to sign with. Optional: all of its keys in the documents sign anyway */
          publicKeyHexs?: string[]
        }
      }
    }
    responses: {
      /** @description Done */
      200: {
        headers: {
          /** @description `true` if this is the response of an earlier request; absent otherwise */
          'idempotency-replayed'?: boolean
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "did": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *       "controllerKeyId": "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
           *       "keys": [
           *         {
           *           "kid": "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
           *           "type": "Ed25519",
           *           "publicKeyHex": "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
           *           "kms": "local"
           *         }
           *       ],
           *       "services": [
           *         {
           *           "id": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0#service-1",
           *           "type": "LinkedDomains",
           *           "serviceEndpoint": [
           *             "https://example.com"
           *           ]
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['DidResult']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthenticated']
      403: components['responses']['Forbidden']
      408: components['responses']['TooSlow']
      413: components['responses']['TooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalError']
      503: components['responses']['Unavailable']
    }
  }
  'did-rotate-key': {
    parameters: {
      query?: never
      header?: {
        /** @description Chosen by the client, for example a UUID: a repeated request with the same key gets the original response. With a different request the same key is rejected (`idempotency_key_reused`). */
        'idempotency-key'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /**
           * @description A DID of the account
           * @example did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0
           */
          did: string
          /** @description `kid` of the new signing key, a key of the account; default: a new key is created */
          key?: string
          /** @description Name of the configured KMS for the key; default: that of the service */
          kms?: string
          /** @description How long the former key stays in the DID document once the new one signs, an ISO 8601 duration (`P30D`; `PT0S`: not at all). Default: until the last credential that it signed according to the register has expired; if there is none, or one that never expires, until a later call sets it */
          gracePeriod?: string
        }
        'application/x-www-form-urlencoded': {
          /**
           * @description A DID of the account
           * @example did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0
           */
          did: string
          /** @description `kid` of the new signing key, a key of the account; default: a new key is created */
          key?: string
          /** @description Name of the configured KMS for the key; default: that of the service */
          kms?: string
          /** @description How long the former key stays in the DID document once the new one signs, an ISO 8601 duration (`P30D`; `PT0S`: not at all). Default: until the last credential that it signed according to the register has expired; if there is none, or one that never expires, until a later call sets it */
          gracePeriod?: string
        }
      }
    }
    responses: {
      /** @description Done */
      200: {
        headers: {
          /** @description `true` if this is the response of an earlier request; absent otherwise */
          'idempotency-replayed'?: boolean
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "did": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *       "state": "waiting",
           *       "key": "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
           *       "kms": "local",
           *       "formerKey": "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
           *       "signedLists": 3,
           *       "startedAt": "2026-01-31T09:30:00.000Z",
           *       "signsSince": "2026-01-31T09:30:01.000Z",
           *       "gracePeriod": "P90D",
           *       "removesAt": "2026-05-01T09:30:01.000Z"
           *     }
           */
          'application/json': components['schemas']['DIDRotation']
        }
      }
      /** @description Under way */
      202: {
        headers: {
          /** @description `true` if this is the response of an earlier request; absent otherwise */
          'idempotency-replayed'?: boolean
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['DIDRotation']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthenticated']
      403: components['responses']['Forbidden']
      408: components['responses']['TooSlow']
      413: components['responses']['TooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalError']
      503: components['responses']['Unavailable']
    }
  }
  'did-rotation-read': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description A DID of the account */
        did: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "did": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *       "state": "waiting",
           *       "key": "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
           *       "kms": "local",
           *       "formerKey": "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
           *       "signedLists": 3,
           *       "startedAt": "2026-01-31T09:30:00.000Z",
           *       "signsSince": "2026-01-31T09:30:01.000Z",
           *       "gracePeriod": "P90D",
           *       "removesAt": "2026-05-01T09:30:01.000Z"
           *     }
           */
          'application/json': components['schemas']['DIDRotation']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthenticated']
      403: components['responses']['Forbidden']
      404: components['responses']['NotFound']
      408: components['responses']['TooSlow']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalError']
      503: components['responses']['Unavailable']
    }
  }
  'did-deactivate': {
    parameters: {
      query?: never
      header?: {
        /** @description Chosen by the client, for example a UUID: a repeated request with the same key gets the original response. With a different request the same key is rejected (`idempotency_key_reused`). */
        'idempotency-key'?: string
      }
      path: {
        /** @description A DID of the account */
        did: string
      }
      cookie?: never
    }
    requestBody?: {
      content: {
        'application/json': {
          /** @description Public keys (hex) of the account to sign with. Optional: all of its keys in the documents sign anyway */
          publicKeyHexs?: string[]
        }
        'application/x-www-form-urlencoded': {
          /** @description Public keys (hex) of the account to sign with. Optional: all of its keys in the documents sign anyway */
          publicKeyHexs?: string[]
        }
      }
    }
    responses: {
      /** @description Done */
      200: {
        headers: {
          /** @description `true` if this is the response of an earlier request; absent otherwise */
          'idempotency-replayed'?: boolean
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "didDocument": {
           *         "@context": [
           *           "https://www.w3.org/ns/did/v1"
           *         ],
           *         "id": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *         "verificationMethod": []
           *       },
           *       "didResolutionMetadata": {
           *         "contentType": "application/did+ld+json"
           *       },
           *       "didDocumentMetadata": {
           *         "versionId": "6a7d1cd5-4a1f-4ad6-9e2c-5d0ee8c2c0ee",
           *         "deactivated": true
           *       }
           *     }
           */
          'application/json': components['schemas']['DidDeactivation']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthenticated']
      403: components['responses']['Forbidden']
      404: components['responses']['NotFound']
      408: components['responses']['TooSlow']
      413: components['responses']['TooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalError']
      503: components['responses']['Unavailable']
    }
  }
  'did-list': {
    parameters: {
      query?: {
        /** @description Network of did:cheqd */
        network?: 'testnet' | 'mainnet'
        /** @description Only those of this provider of DIDs */
        provider?: string
        /** @description Only those that have this key (kid) of the account */
        key?: string
        alias?: string
        /** @description Only those that the account obtained after this time; results are then ordered by creation */
        createdAfter?: string
        /** @description Only those that the account obtained before this time; results are then ordered by creation */
        createdBefore?: string
        /** @description Return objects instead of bare DIDs */
        metadata?: boolean
        /** @description From 1 on, up to 10000 DIDs; beyond that use `after` */
        page?: number
        /** @description `next` of the previous page, instead of `page` */
        after?: string
        /** @description DIDs on a page, at most */
        limit?: number
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "total": 1,
           *       "dids": [
           *         "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0"
           *       ]
           *     }
           */
          'application/json': components['schemas']['DidList']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthenticated']
      403: components['responses']['Forbidden']
      408: components['responses']['TooSlow']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalError']
      503: components['responses']['Unavailable']
    }
  }
  'did-read': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description A DID of the account */
        did: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "did": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *       "controllerKeyId": "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
           *       "keys": [
           *         {
           *           "kid": "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
           *           "type": "Ed25519",
           *           "publicKeyHex": "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
           *           "kms": "local"
           *         }
           *       ],
           *       "services": [
           *         {
           *           "id": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0#service-1",
           *           "type": "LinkedDomains",
           *           "serviceEndpoint": [
           *             "https://example.com"
           *           ]
           *         }
           *       ],
           *       "provider": "did:cheqd"
           *     }
           */
          'application/json': components['schemas']['HeldDid']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthenticated']
      403: components['responses']['Forbidden']
      404: components['responses']['NotFound']
      408: components['responses']['TooSlow']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalError']
      503: components['responses']['Unavailable']
    }
  }
  'did-search': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The DID */
        did: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "didDocument": {
           *         "@context": [
           *           "https://www.w3.org/ns/did/v1"
           *         ],
           *         "id": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *         "verificationMethod": []
           *       },
           *       "didResolutionMetadata": {
           *         "contentType": "application/did+ld+json"
           *       },
           *       "didDocumentMetadata": {
           *         "versionId": "6a7d1cd5-4a1f-4ad6-9e2c-5d0ee8c2c0ee"
           *       }
           *     }
           */
          'application/json': components['schemas']['DidResolution']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthenticated']
      403: components['responses']['Forbidden']
      404: components['responses']['NotFound']
      408: components['responses']['TooSlow']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalError']
      503: components['responses']['Unavailable']
    }
  }
  'did-document': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description A DID of the account */
        did: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "didDocument": {
           *         "@context": [
           *           "https://www.w3.org/ns/did/v1"
           *         ],
           *         "id": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0"
           *       }
           *     }
           */
          'application/json': components['schemas']['HeldDidDocument']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthenticated']
      403: components['responses']['Forbidden']
      404: components['responses']['NotFound']
      408: components['responses']['TooSlow']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalError']
      503: components['responses']['Unavailable']
    }
  }
  'key-create': {
    parameters: {
      query?: {
        /** @description Type of the key */
        type?: 'Ed25519' | 'Secp256k1' | 'Secp256r1' | 'X25519'
      }
      header?: {
        /** @description Chosen by the client, for example a UUID: a repeated request with the same key gets the original response. With a different request the same key is rejected (`idempotency_key_reused`). */
        'idempotency-key'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody?: {
      content: {
        'application/json': {
          /** @description Label of the key, unique within the account */
          alias?: string
          /** @description Name of the configured KMS for the key; default: that of the service */
          kms?: string
        }
        'application/x-www-form-urlencoded': {
          /** @description Label of the key, unique within the account */
          alias?: string
          /** @description Name of the configured KMS for the key; default: that of the service */
          kms?: string
        }
      }
    }
    responses: {
      /** @description Done */
      200: {
        headers: {
          /** @description `true` if this is the response of an earlier request; absent otherwise */
          'idempotency-replayed'?: boolean
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "kid": "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
           *       "type": "Ed25519",
           *       "publicKeyHex": "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
           *       "kms": "local",
           *       "alias": "issuer",
           *       "publicKeyAlias": "issuer",
           *       "createdAt": "2027-01-31T12:00:00.000Z",
           *       "meta": {
           *         "algorithms": [
           *           "EdDSA",
           *           "Ed25519"
           *         ]
           *       }
           *     }
           */
          'application/json': components['schemas']['KeyDetails']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthenticated']
      403: components['responses']['Forbidden']
      408: components['responses']['TooSlow']
      413: components['responses']['TooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalError']
      503: components['responses']['Unavailable']
    }
  }
  'key-import': {
    parameters: {
      query?: never
      header?: {
        /** @description Chosen by the client, for example a UUID: a repeated request with the same key gets the original response. With a different request the same key is rejected (`idempotency_key_reused`). */
        'idempotency-key'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /** @description Label of the key, unique within the account */
          alias?: string
          /**
           * @description Type of the key
           * @default Ed25519
           * @enum {string}
           */
          type?: 'Ed25519' | 'Secp256k1' | 'Secp256r1' | 'X25519'
          /**
           * Format: password
           * @description Private key (hex): 32 bytes; for Ed25519 also 64, seed and public key
           */
          privateKeyHex: string
          /** @description Must be false or omitted: encrypted transfer is not supported */
          encrypted?: boolean
        }
        'application/x-www-form-urlencoded': {
          /** @description Label of the key, unique within the account */
          alias?: string
          /**
           * @description Type of the key
           * @default Ed25519
           * @enum {string}
           */
          type?: 'Ed25519' | 'Secp256k1' | 'Secp256r1' | 'X25519'
          /**
           * Format: password
           * @description Private key (hex): 32 bytes; for Ed25519 also 64, seed and public key
           */
          privateKeyHex: string
          /** @description Must be false or omitted: encrypted transfer is not supported */
          encrypted?: boolean
        }
      }
    }
    responses: {
      /** @description Done */
      200: {
        headers: {
          /** @description `true` if this is the response of an earlier request; absent otherwise */
          'idempotency-replayed'?: boolean
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "kid": "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
           *       "type": "Ed25519",
           *       "publicKeyHex": "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
           *       "kms": "local",
           *       "alias": "issuer",
           *       "publicKeyAlias": "issuer",
           *       "createdAt": "2027-01-31T12:00:00.000Z",
           *       "meta": {
           *         "algorithms": [
           *           "EdDSA",
           *           "Ed25519"
           *         ]
           *       }
           *     }
           */
          'application/json': components['schemas']['KeyDetails']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthenticated']
      403: components['responses']['Forbidden']
      408: components['responses']['TooSlow']
      413: components['responses']['TooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalError']
      503: components['responses']['Unavailable']
    }
  }
  'key-kms': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "kms": [
           *         {
           *           "name": "local",
           *           "isDefault": true,
           *           "keyTypes": [
           *             "Ed25519",
           *             "Secp256k1",
           *             "Secp256r1",
           *             "X25519"
           *           ],
           *           "importsKeys": true
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['KeyManagementSystems']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthenticated']
      403: components['responses']['Forbidden']
      408: components['responses']['TooSlow']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalError']
      503: components['responses']['Unavailable']
    }
  }
  'key-list': {
    parameters: {
      query?: {
        /** @description Only those of this KMS */
        kms?: string
        alias?: string
        /** @description Only those that the account obtained after this time; results are then ordered by creation */
        createdAfter?: string
        /** @description Only those that the account obtained before this time; results are then ordered by creation */
        createdBefore?: string
        /** @description The DIDs that have each key as well, up to 5 of them */
        dids?: boolean
        /** @description From 1 on, up to 10000 keys; beyond that use `after` */
        page?: number
        /** @description `next` of the previous page, instead of `page` */
        after?: string
        /** @description Keys on a page, at most */
        limit?: number
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "total": 1,
           *       "keys": [
           *         {
           *           "kid": "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
           *           "type": "Ed25519",
           *           "publicKeyHex": "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
           *           "kms": "local",
           *           "alias": "issuer",
           *           "publicKeyAlias": "issuer",
           *           "createdAt": "2027-01-31T12:00:00.000Z",
           *           "meta": {
           *             "algorithms": [
           *               "EdDSA",
           *               "Ed25519"
           *             ]
           *           }
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['KeyList']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthenticated']
      403: components['responses']['Forbidden']
      408: components['responses']['TooSlow']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalError']
      503: components['responses']['Unavailable']
    }
  }
  'key-read': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description Id of the key */
        kid: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "kid": "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
           *       "type": "Ed25519",
           *       "publicKeyHex": "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
           *       "kms": "local",
           *       "alias": "issuer",
           *       "publicKeyAlias": "issuer",
           *       "createdAt": "2027-01-31T12:00:00.000Z",
           *       "meta": {
           *         "algorithms": [
           *           "EdDSA",
           *           "Ed25519"
           *         ]
           *       }
           *     }
           */
          'application/json': components['schemas']['KeyDetails']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthenticated']
      403: components['responses']['Forbidden']
      404: components['responses']['NotFound']
      408: components['responses']['TooSlow']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalError']
      503: components['responses']['Unavailable']
    }
  }
  'key-csr': {
    parameters: {
      query?: never
      header?: {
        /** @description Chosen by the client, for example a UUID: a repeated request with the same key gets the original response. With a different request the same key is rejected (`idempotency_key_reused`). */
        'idempotency-key'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /** @description Id of the key */
          kid: string
        }
        'application/x-www-form-urlencoded': {
          /** @description Id of the key */
          kid: string
        }
      }
    }
    responses: {
      /** @description Done */
      200: {
        headers: {
          /** @description `true` if this is the response of an earlier request; absent otherwise */
          'idempotency-replayed'?: boolean
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "kid": "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
           *       "certificateRequest": "-----BEGIN CERTIFICATE REQUEST-----\n...\n-----END CERTIFICATE REQUEST-----\n"
           *     }
           */
          'application/json': components['schemas']['KeyCertificateRequest']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthenticated']
      403: components['responses']['Forbidden']
      404: components['responses']['NotFound']
      408: components['responses']['TooSlow']
      413: components['responses']['TooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalError']
      503: components['responses']['Unavailable']
    }
  }
  'key-certificate': {
    parameters: {
      query?: never
      header?: {
        /** @description Chosen by the client, for example a UUID: a repeated request with the same key gets the original response. With a different request the same key is rejected (`idempotency_key_reused`). */
        'idempotency-key'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /** @description Id of the key */
          kid: string
          /** @description The leaf first: one PEM text, or a list of certificates in base64 DER. An empty list removes the certificates */
          certificateChain: string | string[]
        }
        'application/x-www-form-urlencoded': {
          /** @description Id of the key */
          kid: string
          /** @description The leaf first: one PEM text, or a list of certificates in base64 DER. An empty list removes the certificates */
          certificateChain: string | string[]
        }
      }
    }
    responses: {
      /** @description Done */
      200: {
        headers: {
          /** @description `true` if this is the response of an earlier request; absent otherwise */
          'idempotency-replayed'?: boolean
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "kid": "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
           *       "issuer": "https://issuer.example",
           *       "expiresAt": "2028-01-31T12:00:00.000Z",
           *       "certificateChain": [
           *         "MIIB...",
           *         "MIIC..."
           *       ],
           *       "signsStatusLists": true
           *     }
           */
          'application/json': components['schemas']['KeyCertificate']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthenticated']
      403: components['responses']['Forbidden']
      404: components['responses']['NotFound']
      408: components['responses']['TooSlow']
      413: components['responses']['TooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalError']
      503: components['responses']['Unavailable']
    }
  }
  'key-update': {
    parameters: {
      query?: never
      header?: {
        /** @description Chosen by the client, for example a UUID: a repeated request with the same key gets the original response. With a different request the same key is rejected (`idempotency_key_reused`). */
        'idempotency-key'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /** @description Id of the key */
          kid: string
          /** @description New label, unique in the account; empty: none; at most 1024 bytes of UTF-8 */
          alias: string
        }
        'application/x-www-form-urlencoded': {
          /** @description Id of the key */
          kid: string
          /** @description New label, unique in the account; empty: none; at most 1024 bytes of UTF-8 */
          alias: string
        }
      }
    }
    responses: {
      /** @description Done */
      200: {
        headers: {
          /** @description `true` if this is the response of an earlier request; absent otherwise */
          'idempotency-replayed'?: boolean
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "kid": "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
           *       "type": "Ed25519",
           *       "publicKeyHex": "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
           *       "kms": "local",
           *       "alias": "issuer",
           *       "publicKeyAlias": "issuer",
           *       "createdAt": "2027-01-31T12:00:00.000Z",
           *       "meta": {
           *         "algorithms": [
           *           "EdDSA",
           *           "Ed25519"
           *         ]
           *       }
           *     }
           */
          'application/json': components['schemas']['KeyDetails']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthenticated']
      403: components['responses']['Forbidden']
      404: components['responses']['NotFound']
      408: components['responses']['TooSlow']
      413: components['responses']['TooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalError']
      503: components['responses']['Unavailable']
    }
  }
  'key-delete': {
    parameters: {
      query?: never
      header?: {
        /** @description Chosen by the client, for example a UUID: a repeated request with the same key gets the original response. With a different request the same key is rejected (`idempotency_key_reused`). */
        'idempotency-key'?: string
      }
      path: {
        /** @description Id of the key */
        kid: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          /** @description `true` if this is the response of an earlier request; absent otherwise */
          'idempotency-replayed'?: boolean
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "kid": "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
           *       "type": "Ed25519",
           *       "publicKeyHex": "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
           *       "kms": "local",
           *       "alias": "issuer",
           *       "publicKeyAlias": "issuer",
           *       "createdAt": "2027-01-31T12:00:00.000Z",
           *       "meta": {
           *         "algorithms": [
           *           "EdDSA",
           *           "Ed25519"
           *         ]
           *       }
           *     }
           */
          'application/json': components['schemas']['KeyDetails']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthenticated']
      403: components['responses']['Forbidden']
      404: components['responses']['NotFound']
      408: components['responses']['TooSlow']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalError']
      503: components['responses']['Unavailable']
    }
  }
  'resource-create': {
    parameters: {
      query?: never
      header?: {
        /** @description Chosen by the client, for example a UUID: a repeated request with the same key gets the original response. With a different request the same key is rejected (`idempotency_key_reused`). */
        'idempotency-key'?: string
      }
      path: {
        /** @description A DID of the account that publishes the resource */
        did: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /** @description Name of the resource; at most 64 bytes of UTF-8 */
          name: string
          /** @description Type of the resource; at most 64 bytes of UTF-8 */
          type: string
          /** @description The content */
          data: string
          /**
           * @description Encoding of `data`
           * @enum {string}
           */
          encoding: 'base64url' | 'base64' | 'hex' | 'utf-8'
          /** @description Version of the resource, for people; at most 64 bytes of UTF-8 */
          version?: string
          /** @description Other addresses of the resource */
          alsoKnownAs?: {
            /** @description Alternative address; at most 256 bytes of UTF-8 */
            uri: string
            /** @description Description; at most 128 bytes of UTF-8 */
            description: string
          }[]
          /**
           * @description Must be the network of the DID
           * @enum {string}
           */
          network?: 'testnet' | 'mainnet'
          /** @description Public keys (hex) of the account to sign with. Optional: all of its keys in the documents sign anyway */
          publicKeyHexs?: string[]
        }
        'application/x-www-form-urlencoded': {
          /** @description Name of the resource; at most 64 bytes of UTF-8 */
          name: string
          /** @description Type of the resource; at most 64 bytes of UTF-8 */
          type: string
          /** @description The content */
          data: string
          /**
           * @description Encoding of `data`
           * @enum {string}
           */
          encoding: 'base64url' | 'base64' | 'hex' | 'utf-8'
          /** @description Version of the resource, for people; at most 64 bytes of UTF-8 */
          version?: string
          /** @description Other addresses of the resource */
          alsoKnownAs?: {
            /** @description Alternative address; at most 256 bytes of UTF-8 */
            uri: string
            /** @description Description; at most 128 bytes of UTF-8 */
            description: string
          }[]
          /**
           * @description Must be the network of the DID
           * @enum {string}
           */
          network?: 'testnet' | 'mainnet'
          /** @description Public keys (hex) of the account to sign with. Optional: all of its keys in the documents sign anyway */
          publicKeyHexs?: string[]
        }
      }
    }
    responses: {
      /** @description Done */
      201: {
        headers: {
          /** @description `true` if this is the response of an earlier request; absent otherwise */
          'idempotency-replayed'?: boolean
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "resource": {
           *         "resourceURI": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0/resources/5e16a3f9-7c6e-4b6b-8e28-20f56780ee25",
           *         "resourceCollectionId": "7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *         "resourceId": "5e16a3f9-7c6e-4b6b-8e28-20f56780ee25",
           *         "resourceName": "my-list",
           *         "resourceType": "JSONSchema",
           *         "mediaType": "application/json",
           *         "resourceVersion": "2",
           *         "created": "2026-01-31T09:30:00Z",
           *         "checksum": "909e22e371a41afbb96c330a97752cf7c8856088f1f937f87decbef06cbe9ca2",
           *         "previousVersionId": "e66a9416-d03e-4ced-95e3-07af16e25bc5",
           *         "nextVersionId": null
           *       }
           *     }
           */
          'application/json': components['schemas']['ResourceCreateResult']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthenticated']
      403: components['responses']['Forbidden']
      404: components['responses']['NotFound']
      408: components['responses']['TooSlow']
      413: components['responses']['TooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalError']
      503: components['responses']['Unavailable']
    }
  }
  'resource-search': {
    parameters: {
      query?: {
        resourceId?: string
        resourceName?: string
        resourceType?: string
        resourceVersion?: string
        resourceVersionTime?: string
        checksum?: string
        /** @description Metadata, without the content */
        resourceMetadata?: boolean
        /** @description From 1 on, up to 10000 resources; beyond that use `after` */
        page?: number
        /** @description `next` of the previous page, instead of `page` */
        after?: string
        /** @description Resources on a page, at most */
        limit?: number
      }
      header?: never
      path: {
        /** @description The DID that publishes them */
        did: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "@context": "https://w3id.org/did-resolution/v1",
           *       "dereferencingMetadata": {
           *         "contentType": "application/json",
           *         "retrieved": "2026-01-31T09:30:00Z",
           *         "did": {
           *           "didString": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "methodSpecificId": "7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "method": "cheqd"
           *         }
           *       },
           *       "contentStream": {
           *         "type": "object"
           *       },
           *       "contentMetadata": {
           *         "resourceURI": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0/resources/5e16a3f9-7c6e-4b6b-8e28-20f56780ee25",
           *         "resourceCollectionId": "7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *         "resourceId": "5e16a3f9-7c6e-4b6b-8e28-20f56780ee25",
           *         "resourceName": "my-list",
           *         "resourceType": "StatusList2021Revocation",
           *         "mediaType": "application/json",
           *         "resourceVersion": "2",
           *         "created": "2026-01-31T09:30:00Z",
           *         "checksum": "909e22e371a41afbb96c330a97752cf7c8856088f1f937f87decbef06cbe9ca2",
           *         "previousVersionId": "e66a9416-d03e-4ced-95e3-07af16e25bc5",
           *         "nextVersionId": null
           *       }
           *     }
           */
          'application/json': components['schemas']['ResourceSearchResult']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthenticated']
      403: components['responses']['Forbidden']
      404: components['responses']['NotFound']
      408: components['responses']['TooSlow']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalError']
      503: components['responses']['Unavailable']
    }
  }
  'create-status-list': {
    parameters: {
      query: {
        /** @description Type of the status list, one of the configured ones */
        listType: string
        /** @description Purpose of the list; several if its type supports it */
        statusPurpose: string[]
      }
      header?: {
        /** @description Chosen by the client, for example a UUID: a repeated request with the same key gets the original response. With a different request the same key is rejected (`idempotency_key_reused`). */
        'idempotency-key'?: string
        /** @description `return=minimal` omits `resource` from the response (RFC 7240). */
        prefer?: string
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /**
           * @description DID of the publisher of the status list
           * @example did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0
           */
          did: string
          /** @description Name of the DID-Linked Resource that holds the list; at most 64 bytes of UTF-8 */
          statusListName: string
          /** @description Version of the resource, for people; at most 64 bytes of UTF-8 */
          statusListVersion?: string
          /** @description Entries; default and minimum 131072 */
          length?: number
          /**
           * @description Encoding of the list, if its type has several
           * @example base64url
           * @example hex
           */
          encoding?: string
          /** @description Bits for each entry: 1 for StatusList2021; 1, 2, 4 or 8 for TokenStatusList; 1 to 8 for BitstringStatusList, of which other implementations read 1, 2, 4 and 8. Default: as the purposes require */
          statusSize?: number
          /** @description Meaning of each of the 2^statusSize values; only for BitstringStatusList */
          statusMessages?: {
            /** @description The value, such as `0x2` */
            status: string
            /** @description What the value means */
            message: string
          }[]
          /** @description Milliseconds for which a copy may be used; whole seconds for TokenStatusList */
          ttl?: number
          /**
           * Format: date-time
           * @description End of the validity of the list
           */
          validUntil?: string
          /** @description Initial entries; default: all 0 */
          encodedList?: string
          /** @description Alternative addresses of the list */
          alsoKnownAs?: {
            /** @description Alternative address; at most 256 bytes of UTF-8 */
            uri: string
            /** @description Description; at most 128 bytes of UTF-8 */
            description: string
          }[]
          /**
           * @description Permanent identity of the list, also used in its entries: its DID URL, or the https address under the public URL of the service (required for `https`). Default: as configured, `did` as shipped
           * @enum {string}
           */
          address?: 'did' | 'https'
          /** @description Also sign each version of a BitstringStatusList with a Data Integrity proof, and serve it as JSON-LD for verifiers that do not read JWTs. Default: as configured, `false` as shipped */
          embeddedProof?: boolean
          /**
           * @description Publish changes together at this interval, an ISO 8601 duration from `PT1S` to `P31D`; until then they are stored. Default: each change is published at once
           * @example PT15M
           */
          publishEvery?: string
          /** @description With `publishEvery`: publish a version at each interval, even without changes; default: false */
          always?: boolean
          /** @description Create a series: a name that never fills up. Each member has `length` entries; default: false */
          series?: boolean
          /** @description For a series: credentials that expire in the same period share members, e.g. `P3M`; at least a day */
          period?: string
          /**
           * @deprecated
           * @description Accepted and ignored. Accepted for compatibility with other services.
           */
          credentialCategory?: unknown
          /**
           * @deprecated
           * @description Accepted and ignored. Accepted for compatibility with other services.
           */
          state?: unknown
        }
        'application/x-www-form-urlencoded': {
          /**
           * @description DID of the publisher of the status list
           * @example did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0
           */
          did: string
          /** @description Name of the DID-Linked Resource that holds the list; at most 64 bytes of UTF-8 */
          statusListName: string
          /** @description Version of the resource, for people; at most 64 bytes of UTF-8 */
          statusListVersion?: string
          /** @description Entries; default and minimum 131072 */
          length?: number
          /**
           * @description Encoding of the list, if its type has several
           * @example base64url
           * @example hex
           */
          encoding?: string
          /** @description Bits for each entry: 1 for StatusList2021; 1, 2, 4 or 8 for TokenStatusList; 1 to 8 for BitstringStatusList, of which other implementations read 1, 2, 4 and 8. Default: as the purposes require */
          statusSize?: number
          /** @description Meaning of each of the 2^statusSize values; only for BitstringStatusList */
          statusMessages?: {
            /** @description The value, such as `0x2` */
            status: string
            /** @description What the value means */
            message: string
          }[]
          /** @description Milliseconds for which a copy may be used; whole seconds for TokenStatusList */
          ttl?: number
          /**
           * Format: date-time
           * @description End of the validity of the list
           */
          validUntil?: string
          /** @description Initial entries; default: all 0 */
          encodedList?: string
          /** @description Alternative addresses of the list */
          alsoKnownAs?: {
            /** @description Alternative address; at most 256 bytes of UTF-8 */
            uri: string
            /** @description Description; at most 128 bytes of UTF-8 */
            description: string
          }[]
          /**
           * @description Permanent identity of the list, also used in its entries: its DID URL, or the https address under the public URL of the service (required for `https`). Default: as configured, `did` as shipped
           * @enum {string}
           */
          address?: 'did' | 'https'
          /** @description Also sign each version of a BitstringStatusList with a Data Integrity proof, and serve it as JSON-LD for verifiers that do not read JWTs. Default: as configured, `false` as shipped */
          embeddedProof?: boolean
          /**
           * @description Publish changes together at this interval, an ISO 8601 duration from `PT1S` to `P31D`; until then they are stored. Default: each change is published at once
           * @example PT15M
           */
          publishEvery?: string
          /** @description With `publishEvery`: publish a version at each interval, even without changes; default: false */
          always?: boolean
          /** @description Create a series: a name that never fills up. Each member has `length` entries; default: false */
          series?: boolean
          /** @description For a series: credentials that expire in the same period share members, e.g. `P3M`; at least a day */
          period?: string
          /**
           * @deprecated
           * @description Accepted and ignored. Accepted for compatibility with other services.
           */
          credentialCategory?: unknown
          /**
           * @deprecated
           * @description Accepted and ignored. Accepted for compatibility with other services.
           */
          state?: unknown
        }
      }
    }
    responses: {
      /** @description Done */
      200: {
        headers: {
          /** @description `true` if this is the response of an earlier request; absent otherwise */
          'idempotency-replayed'?: boolean
          /** @description `return=minimal` if `resource` was omitted as requested */
          'preference-applied'?: string
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "created": true,
           *       "resource": {
           *         "StatusList2021": {
           *           "statusPurpose": "revocation",
           *           "encodedList": "H4sIAAAAAAAAA-3BMQEAAADCoPVPbQsvoAAAAAAAAAAAAAAAAP4GcwM92tQwAAA",
           *           "type": "StatusList2021Revocation",
           *           "validFrom": "2026-01-31T09:30:00Z"
           *         },
           *         "metadata": {
           *           "type": "StatusList2021Revocation",
           *           "encoding": "base64url",
           *           "encrypted": false
           *         }
           *       },
           *       "resourceMetadata": {
           *         "resourceURI": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0/resources/5e16a3f9-7c6e-4b6b-8e28-20f56780ee25",
           *         "resourceCollectionId": "7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *         "resourceId": "5e16a3f9-7c6e-4b6b-8e28-20f56780ee25",
           *         "resourceName": "my-list",
           *         "resourceType": "StatusList2021Revocation",
           *         "mediaType": "application/json",
           *         "resourceVersion": "1",
           *         "created": "2026-01-31T09:30:00Z",
           *         "checksum": "909e22e371a41afbb96c330a97752cf7c8856088f1f937f87decbef06cbe9ca2",
           *         "previousVersionId": null,
           *         "nextVersionId": null
           *       },
           *       "encrypted": false,
           *       "statusListId": "mUY-vBaZYeg1P_eeuuC8E3"
           *     }
           */
          'application/json': components['schemas']['StatusListCreateResult']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthenticated']
      403: components['responses']['Forbidden']
      408: components['responses']['TooSlow']
      413: components['responses']['TooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalError']
      503: components['responses']['Unavailable']
    }
  }
  'update-status-list': {
    parameters: {
      query: {
        /** @description Type of the status list, one of the configured ones */
        listType: string
        /** @description Action to perform */
        statusAction: string
      }
      header?: {
        /** @description Chosen by the client, for example a UUID: a repeated request with the same key gets the original response. With a different request the same key is rejected (`idempotency_key_reused`). */
        'idempotency-key'?: string
        /** @description `return=minimal` omits `resource` from the response (RFC 7240). */
        prefer?: string
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /**
           * @description DID of the publisher of the status list
           * @example did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0
           */
          did: string
          /** @description Name of the DID-Linked Resource that holds the list; at most 64 bytes of UTF-8 */
          statusListName: string
          /**
           * @description Indices to update; repeated ones count once
           * @example [
           *       0,
           *       94567
           *     ]
           */
          indices: number[]
          /** @description Version of the resource, for people; at most 64 bytes of UTF-8 */
          statusListVersion?: string
          /**
           * @description `wait`: respond once the new version is in the static publication as well, or after a time limit
           * @constant
           */
          publication?: 'wait'
          /** @description Return a signed `receipt` of the update; default: false */
          receipt?: boolean
        }
        'application/x-www-form-urlencoded': {
          /**
           * @description DID of the publisher of the status list
           * @example did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0
           */
          did: string
          /** @description Name of the DID-Linked Resource that holds the list; at most 64 bytes of UTF-8 */
          statusListName: string
          /**
           * @description Indices to update; repeated ones count once
           * @example [
           *       0,
           *       94567
           *     ]
           */
          indices: number[]
          /** @description Version of the resource, for people; at most 64 bytes of UTF-8 */
          statusListVersion?: string
          /**
           * @description `wait`: respond once the new version is in the static publication as well, or after a time limit
           * @constant
           */
          publication?: 'wait'
          /** @description Return a signed `receipt` of the update; default: false */
          receipt?: boolean
        }
      }
    }
    responses: {
      /** @description Done */
      200: {
        headers: {
          /** @description `true` if this is the response of an earlier request; absent otherwise */
          'idempotency-replayed'?: boolean
          /** @description `return=minimal` if `resource` was omitted as requested */
          'preference-applied'?: string
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "updated": true,
           *       "changed": [
           *         0,
           *         94567
           *       ],
           *       "revoked": true,
           *       "resource": {
           *         "StatusList2021": {
           *           "statusPurpose": "revocation",
           *           "encodedList": "H4sIAAAAAAAAA-3BMQEAAADCoPVPbQsvoAAAAAAAAAAAAAAAAP4GcwM92tQwAAA",
           *           "type": "StatusList2021Revocation",
           *           "validFrom": "2026-01-31T09:30:00Z"
           *         },
           *         "metadata": {
           *           "type": "StatusList2021Revocation",
           *           "encoding": "base64url",
           *           "encrypted": false
           *         }
           *       },
           *       "resourceMetadata": {
           *         "resourceURI": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0/resources/5e16a3f9-7c6e-4b6b-8e28-20f56780ee25",
           *         "resourceCollectionId": "7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *         "resourceId": "5e16a3f9-7c6e-4b6b-8e28-20f56780ee25",
           *         "resourceName": "my-list",
           *         "resourceType": "StatusList2021Revocation",
           *         "mediaType": "application/json",
           *         "resourceVersion": "2",
           *         "created": "2026-01-31T09:30:00Z",
           *         "checksum": "909e22e371a41afbb96c330a97752cf7c8856088f1f937f87decbef06cbe9ca2",
           *         "previousVersionId": "e66a9416-d03e-4ced-95e3-07af16e25bc5",
           *         "nextVersionId": null
           *       }
           *     }
           */
          'application/json': components['schemas']['StatusListUpdateResult']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthenticated']
      403: components['responses']['Forbidden']
      408: components['responses']['TooSlow']
      413: components['responses']['TooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalError']
      503: components['responses']['Unavailable']
    }
  }
  'create-encrypted-status-list': {
    parameters: {
      query: {
        /** @description Type of the status list, one of the configured ones */
        listType: string
        /** @description Purpose of the list; several if its type supports it */
        statusPurpose: string[]
      }
      header?: {
        /** @description Chosen by the client, for example a UUID: a repeated request with the same key gets the original response. With a different request the same key is rejected (`idempotency_key_reused`). */
        'idempotency-key'?: string
        /** @description `return=minimal` omits `resource` from the response (RFC 7240). */
        prefer?: string
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /**
           * @description DID of the publisher of the status list
           * @example did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0
           */
          did: string
          /** @description Name of the DID-Linked Resource that holds the list; at most 64 bytes of UTF-8 */
          statusListName: string
          /** @description Version of the resource, for people; at most 64 bytes of UTF-8 */
          statusListVersion?: string
          /** @description Entries; default and minimum 131072 */
          length?: number
          /**
           * @description Encoding of the list, if its type has several
           * @example base64url
           * @example hex
           */
          encoding?: string
          /** @description Bits for each entry: 1 for StatusList2021; 1, 2, 4 or 8 for TokenStatusList; 1 to 8 for BitstringStatusList, of which other implementations read 1, 2, 4 and 8. Default: as the purposes require */
          statusSize?: number
          /** @description Meaning of each of the 2^statusSize values; only for BitstringStatusList */
          statusMessages?: {
            /** @description The value, such as `0x2` */
            status: string
            /** @description What the value means */
            message: string
          }[]
          /** @description Milliseconds for which a copy may be used; whole seconds for TokenStatusList */
          ttl?: number
          /**
           * Format: date-time
           * @description End of the validity of the list
           */
          validUntil?: string
          /** @description Initial entries; default: all 0 */
          encodedList?: string
          /** @description Alternative addresses of the list */
          alsoKnownAs?: {
            /** @description Alternative address; at most 256 bytes of UTF-8 */
            uri: string
            /** @description Description; at most 128 bytes of UTF-8 */
            description: string
          }[]
          /**
           * @description Permanent identity of the list, also used in its entries: its DID URL, or the https address under the public URL of the service (required for `https`). Default: as configured, `did` as shipped
           * @enum {string}
           */
          address?: 'did' | 'https'
          /** @description Also sign each version of a BitstringStatusList with a Data Integrity proof, and serve it as JSON-LD for verifiers that do not read JWTs. Default: as configured, `false` as shipped */
          embeddedProof?: boolean
          /**
           * @description Publish changes together at this interval, an ISO 8601 duration from `PT1S` to `P31D`; until then they are stored. Default: each change is published at once
           * @example PT15M
           */
          publishEvery?: string
          /** @description With `publishEvery`: publish a version at each interval, even without changes; default: false */
          always?: boolean
          /** @description Create a series: a name that never fills up. Each member has `length` entries; default: false */
          series?: boolean
          /** @description For a series: credentials that expire in the same period share members, e.g. `P3M`; at least a day */
          period?: string
          /**
           * @deprecated
           * @description Accepted and ignored. Accepted for compatibility with other services.
           */
          credentialCategory?: unknown
          /**
           * @deprecated
           * @description Accepted and ignored. Accepted for compatibility with other services.
           */
          state?: unknown
          /** @description What others must pay to check the list, all of them; none: only the publisher can check it */
          paymentConditions?: {
            /**
             * @description Account on the ledger that the fee goes to
             * @example cheqd18as2jngwqpqp5hjadecg25mh8rtjt4l0vzczu5
             */
            feePaymentAddress: string
            /**
             * @description In CHEQ, with at most two decimals
             * @example 20
             */
            feePaymentAmount: number | string
            /**
             * @description Minutes for which a payment unlocks the list
             * @example 10
             */
            feePaymentWindow: number
          }[]
          /**
           * @description Account on the ledger that the fee goes to
           * @example cheqd18as2jngwqpqp5hjadecg25mh8rtjt4l0vzczu5
           */
          feePaymentAddress?: string
          /**
           * @description In CHEQ, with at most two decimals
           * @example 20
           */
          feePaymentAmount?: number | string
          /**
           * @description Minutes for which a payment unlocks the list
           * @example 10
           */
          feePaymentWindow?: number
          /**
           * @deprecated
           * @description Rejected: the service keeps the key of the list and never discloses it
           */
          symmetricKey?: unknown
        }
        'application/x-www-form-urlencoded': {
          /**
           * @description DID of the publisher of the status list
           * @example did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0
           */
          did: string
          /** @description Name of the DID-Linked Resource that holds the list; at most 64 bytes of UTF-8 */
          statusListName: string
          /** @description Version of the resource, for people; at most 64 bytes of UTF-8 */
          statusListVersion?: string
          /** @description Entries; default and minimum 131072 */
          length?: number
          /**
           * @description Encoding of the list, if its type has several
           * @example base64url
           * @example hex
           */
          encoding?: string
          /** @description Bits for each entry: 1 for StatusList2021; 1, 2, 4 or 8 for TokenStatusList; 1 to 8 for BitstringStatusList, of which other implementations read 1, 2, 4 and 8. Default: as the purposes require */
          statusSize?: number
          /** @description Meaning of each of the 2^statusSize values; only for BitstringStatusList */
          statusMessages?: {
            /** @description The value, such as `0x2` */
            status: string
            /** @description What the value means */
            message: string
          }[]
          /** @description Milliseconds for which a copy may be used; whole seconds for TokenStatusList */
          ttl?: number
          /**
           * Format: date-time
           * @description End of the validity of the list
           */
          validUntil?: string
          /** @description Initial entries; default: all 0 */
          encodedList?: string
          /** @description Alternative addresses of the list */
          alsoKnownAs?: {
            /** @description Alternative address; at most 256 bytes of UTF-8 */
            uri: string
            /** @description Description; at most 128 bytes of UTF-8 */
            description: string
          }[]
          /**
           * @description Permanent identity of the list, also used in its entries: its DID URL, or the https address under the public URL of the service (required for `https`). Default: as configured, `did` as shipped
           * @enum {string}
           */
          address?: 'did' | 'https'
          /** @description Also sign each version of a BitstringStatusList with a Data Integrity proof, and serve it as JSON-LD for verifiers that do not read JWTs. Default: as configured, `false` as shipped */
          embeddedProof?: boolean
          /**
           * @description Publish changes together at this interval, an ISO 8601 duration from `PT1S` to `P31D`; until then they are stored. Default: each change is published at once
           * @example PT15M
           */
          publishEvery?: string
          /** @description With `publishEvery`: publish a version at each interval, even without changes; default: false */
          always?: boolean
          /** @description Create a series: a name that never fills up. Each member has `length` entries; default: false */
          series?: boolean
          /** @description For a series: credentials that expire in the same period share members, e.g. `P3M`; at least a day */
          period?: string
          /**
           * @deprecated
           * @description Accepted and ignored. Accepted for compatibility with other services.
           */
          credentialCategory?: unknown
          /**
           * @deprecated
           * @description Accepted and ignored. Accepted for compatibility with other services.
           */
          state?: unknown
          /** @description What others must pay to check the list, all of them; none: only the publisher can check it */
          paymentConditions?: {
            /**
             * @description Account on the ledger that the fee goes to
             * @example cheqd18as2jngwqpqp5hjadecg25mh8rtjt4l0vzczu5
             */
            feePaymentAddress: string
            /**
             * @description In CHEQ, with at most two decimals
             * @example 20
             */
            feePaymentAmount: number | string
            /**
             * @description Minutes for which a payment unlocks the list
             * @example 10
             */
            feePaymentWindow: number
          }[]
          /**
           * @description Account on the ledger that the fee goes to
           * @example cheqd18as2jngwqpqp5hjadecg25mh8rtjt4l0vzczu5
           */
          feePaymentAddress?: string
          /**
           * @description In CHEQ, with at most two decimals
           * @example 20
           */
          feePaymentAmount?: number | string
          /**
           * @description Minutes for which a payment unlocks the list
           * @example 10
           */
          feePaymentWindow?: number
          /**
           * @deprecated
           * @description Rejected: the service keeps the key of the list and never discloses it
           */
          symmetricKey?: unknown
        }
      }
    }
    responses: {
      /** @description Done */
      200: {
        headers: {
          /** @description `true` if this is the response of an earlier request; absent otherwise */
          'idempotency-replayed'?: boolean
          /** @description `return=minimal` if `resource` was omitted as requested */
          'preference-applied'?: string
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "created": true,
           *       "resource": {
           *         "StatusList2021": {
           *           "statusPurpose": "revocation",
           *           "encodedList": "y6kWc1YxVZ0rJm3b2fKq8pJkN1uHgO6ZB3mWcQ4tD8oXxLQ5eR7sT9vUwYzAbCdE",
           *           "type": "StatusList2021Revocation",
           *           "validFrom": "2026-01-31T09:30:00Z"
           *         },
           *         "metadata": {
           *           "type": "StatusList2021Revocation",
           *           "encoding": "base64url",
           *           "encrypted": true,
           *           "encryption": "A256GCM",
           *           "paymentConditions": [
           *             {
           *               "type": "timelockPayment",
           *               "feePaymentAddress": "cheqd18as2jngwqpqp5hjadecg25mh8rtjt4l0vzczu5",
           *               "feePaymentAmount": "20000000000ncheq",
           *               "feePaymentWindow": 10,
           *               "intervalInSeconds": 600
           *             }
           *           ]
           *         }
           *       },
           *       "resourceMetadata": {
           *         "resourceURI": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0/resources/5e16a3f9-7c6e-4b6b-8e28-20f56780ee25",
           *         "resourceCollectionId": "7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *         "resourceId": "5e16a3f9-7c6e-4b6b-8e28-20f56780ee25",
           *         "resourceName": "my-list",
           *         "resourceType": "StatusList2021Revocation",
           *         "mediaType": "application/json",
           *         "resourceVersion": "1",
           *         "created": "2026-01-31T09:30:00Z",
           *         "checksum": "909e22e371a41afbb96c330a97752cf7c8856088f1f937f87decbef06cbe9ca2",
           *         "previousVersionId": null,
           *         "nextVersionId": null
           *       },
           *       "encrypted": true,
           *       "statusListId": "mUY-vBaZYeg1P_eeuuC8E3"
           *     }
           */
          'application/json': components['schemas']['StatusListCreateResult']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthenticated']
      403: components['responses']['Forbidden']
      408: components['responses']['TooSlow']
      413: components['responses']['TooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalError']
      503: components['responses']['Unavailable']
    }
  }
  'update-encrypted-status-list': {
    parameters: {
      query: {
        /** @description Type of the status list, one of the configured ones */
        listType: string
        /** @description Action to perform */
        statusAction: string
      }
      header?: {
        /** @description Chosen by the client, for example a UUID: a repeated request with the same key gets the original response. With a different request the same key is rejected (`idempotency_key_reused`). */
        'idempotency-key'?: string
        /** @description `return=minimal` omits `resource` from the response (RFC 7240). */
        prefer?: string
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /**
           * @description DID of the publisher of the status list
           * @example did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0
           */
          did: string
          /** @description Name of the DID-Linked Resource that holds the list; at most 64 bytes of UTF-8 */
          statusListName: string
          /**
           * @description Indices to update; repeated ones count once
           * @example [
           *       0,
           *       94567
           *     ]
           */
          indices: number[]
          /** @description Version of the resource, for people; at most 64 bytes of UTF-8 */
          statusListVersion?: string
          /**
           * @description `wait`: respond once the new version is in the static publication as well, or after a time limit
           * @constant
           */
          publication?: 'wait'
          /** @description Return a signed `receipt` of the update; default: false */
          receipt?: boolean
          /** @description What others must pay to check the list, all of them; none: only the publisher can check it */
          paymentConditions?: {
            /**
             * @description Account on the ledger that the fee goes to
             * @example cheqd18as2jngwqpqp5hjadecg25mh8rtjt4l0vzczu5
             */
            feePaymentAddress: string
            /**
             * @description In CHEQ, with at most two decimals
             * @example 20
             */
            feePaymentAmount: number | string
            /**
             * @description Minutes for which a payment unlocks the list
             * @example 10
             */
            feePaymentWindow: number
          }[]
          /**
           * @description Account on the ledger that the fee goes to
           * @example cheqd18as2jngwqpqp5hjadecg25mh8rtjt4l0vzczu5
           */
          feePaymentAddress?: string
          /**
           * @description In CHEQ, with at most two decimals
           * @example 20
           */
          feePaymentAmount?: number | string
          /**
           * @description Minutes for which a payment unlocks the list
           * @example 10
           */
          feePaymentWindow?: number
          /**
           * @deprecated
           * @description Rejected: the service keeps the key of the list and never discloses it
           */
          symmetricKey?: unknown
        }
        'application/x-www-form-urlencoded': {
          /**
           * @description DID of the publisher of the status list
           * @example did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0
           */
          did: string
          /** @description Name of the DID-Linked Resource that holds the list; at most 64 bytes of UTF-8 */
          statusListName: string
          /**
           * @description Indices to update; repeated ones count once
           * @example [
           *       0,
           *       94567
           *     ]
           */
          indices: number[]
          /** @description Version of the resource, for people; at most 64 bytes of UTF-8 */
          statusListVersion?: string
          /**
           * @description `wait`: respond once the new version is in the static publication as well, or after a time limit
           * @constant
           */
          publication?: 'wait'
          /** @description Return a signed `receipt` of the update; default: false */
          receipt?: boolean
          /** @description What others must pay to check the list, all of them; none: only the publisher can check it */
          paymentConditions?: {
            /**
             * @description Account on the ledger that the fee goes to
             * @example cheqd18as2jngwqpqp5hjadecg25mh8rtjt4l0vzczu5
             */
            feePaymentAddress: string
            /**
             * @description In CHEQ, with at most two decimals
             * @example 20
             */
            feePaymentAmount: number | string
            /**
             * @description Minutes for which a payment unlocks the list
             * @example 10
             */
            feePaymentWindow: number
          }[]
          /**
           * @description Account on the ledger that the fee goes to
           * @example cheqd18as2jngwqpqp5hjadecg25mh8rtjt4l0vzczu5
           */
          feePaymentAddress?: string
          /**
           * @description In CHEQ, with at most two decimals
           * @example 20
           */
          feePaymentAmount?: number | string
          /**
           * @description Minutes for which a payment unlocks the list
           * @example 10
           */
          feePaymentWindow?: number
          /**
           * @deprecated
           * @description Rejected: the service keeps the key of the list and never discloses it
           */
          symmetricKey?: unknown
        }
      }
    }
    responses: {
      /** @description Done */
      200: {
        headers: {
          /** @description `true` if this is the response of an earlier request; absent otherwise */
          'idempotency-replayed'?: boolean
          /** @description `return=minimal` if `resource` was omitted as requested */
          'preference-applied'?: string
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "updated": true,
           *       "changed": [
           *         0,
           *         94567
           *       ],
           *       "revoked": true,
           *       "resource": {
           *         "StatusList2021": {
           *           "statusPurpose": "revocation",
           *           "encodedList": "y6kWc1YxVZ0rJm3b2fKq8pJkN1uHgO6ZB3mWcQ4tD8oXxLQ5eR7sT9vUwYzAbCdE",
           *           "type": "StatusList2021Revocation",
           *           "validFrom": "2026-01-31T09:30:00Z"
           *         },
           *         "metadata": {
           *           "type": "StatusList2021Revocation",
           *           "encoding": "base64url",
           *           "encrypted": true,
           *           "encryption": "A256GCM",
           *           "paymentConditions": [
           *             {
           *               "type": "timelockPayment",
           *               "feePaymentAddress": "cheqd18as2jngwqpqp5hjadecg25mh8rtjt4l0vzczu5",
           *               "feePaymentAmount": "20000000000ncheq",
           *               "feePaymentWindow": 10,
           *               "intervalInSeconds": 600
           *             }
           *           ]
           *         }
           *       },
           *       "resourceMetadata": {
           *         "resourceURI": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0/resources/5e16a3f9-7c6e-4b6b-8e28-20f56780ee25",
           *         "resourceCollectionId": "7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *         "resourceId": "5e16a3f9-7c6e-4b6b-8e28-20f56780ee25",
           *         "resourceName": "my-list",
           *         "resourceType": "StatusList2021Revocation",
           *         "mediaType": "application/json",
           *         "resourceVersion": "2",
           *         "created": "2026-01-31T09:30:00Z",
           *         "checksum": "909e22e371a41afbb96c330a97752cf7c8856088f1f937f87decbef06cbe9ca2",
           *         "previousVersionId": "e66a9416-d03e-4ced-95e3-07af16e25bc5",
           *         "nextVersionId": null
           *       }
           *     }
           */
          'application/json': components['schemas']['StatusListUpdateResult']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthenticated']
      403: components['responses']['Forbidden']
      408: components['responses']['TooSlow']
      413: components['responses']['TooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalError']
      503: components['responses']['Unavailable']
    }
  }
  'sign-status-list': {
    parameters: {
      query: {
        /** @description Type of the status list, one of the configured ones */
        listType: string
        /** @description Required if the type has one list per purpose and several have this name */
        statusPurpose?: string
      }
      header?: {
        /** @description Chosen by the client, for example a UUID: a repeated request with the same key gets the original response. With a different request the same key is rejected (`idempotency_key_reused`). */
        'idempotency-key'?: string
        /** @description `return=minimal` omits `resource` from the response (RFC 7240). */
        prefer?: string
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /**
           * @description DID of the publisher of the status list
           * @example did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0
           */
          did: string
          /** @description Name of the DID-Linked Resource that holds the list; at most 64 bytes of UTF-8 */
          statusListName: string
          /** @description Version of the resource, for people; at most 64 bytes of UTF-8 */
          statusListVersion?: string
          /** @description Only if the newest version is signed by another key than the current one; default: false */
          onlyOtherKeys?: boolean
        }
        'application/x-www-form-urlencoded': {
          /**
           * @description DID of the publisher of the status list
           * @example did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0
           */
          did: string
          /** @description Name of the DID-Linked Resource that holds the list; at most 64 bytes of UTF-8 */
          statusListName: string
          /** @description Version of the resource, for people; at most 64 bytes of UTF-8 */
          statusListVersion?: string
          /** @description Only if the newest version is signed by another key than the current one; default: false */
          onlyOtherKeys?: boolean
        }
      }
    }
    responses: {
      /** @description Done */
      200: {
        headers: {
          /** @description `true` if this is the response of an earlier request; absent otherwise */
          'idempotency-replayed'?: boolean
          /** @description `return=minimal` if `resource` was omitted as requested */
          'preference-applied'?: string
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "signed": true,
           *       "resource": {
           *         "StatusList2021": {
           *           "statusPurpose": "revocation",
           *           "encodedList": "H4sIAAAAAAAAA-3BMQEAAADCoPVPbQsvoAAAAAAAAAAAAAAAAP4GcwM92tQwAAA",
           *           "type": "StatusList2021Revocation",
           *           "validFrom": "2026-01-31T09:30:00Z"
           *         },
           *         "metadata": {
           *           "type": "StatusList2021Revocation",
           *           "encoding": "base64url",
           *           "encrypted": false
           *         }
           *       },
           *       "resourceMetadata": {
           *         "resourceURI": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0/resources/5e16a3f9-7c6e-4b6b-8e28-20f56780ee25",
           *         "resourceCollectionId": "7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *         "resourceId": "5e16a3f9-7c6e-4b6b-8e28-20f56780ee25",
           *         "resourceName": "my-list",
           *         "resourceType": "StatusList2021Revocation",
           *         "mediaType": "application/json",
           *         "resourceVersion": "2",
           *         "created": "2026-01-31T09:30:00Z",
           *         "checksum": "909e22e371a41afbb96c330a97752cf7c8856088f1f937f87decbef06cbe9ca2",
           *         "previousVersionId": "e66a9416-d03e-4ced-95e3-07af16e25bc5",
           *         "nextVersionId": null
           *       }
           *     }
           */
          'application/json': components['schemas']['StatusListSignResult']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthenticated']
      403: components['responses']['Forbidden']
      408: components['responses']['TooSlow']
      413: components['responses']['TooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalError']
      503: components['responses']['Unavailable']
    }
  }
  'check-status-list': {
    parameters: {
      query: {
        /** @description Type of the status list, one of the configured ones */
        listType: string
        /** @description Purpose of the status list */
        statusPurpose: string
      }
      header?: {
        /** @description Chosen by the client, for example a UUID: a repeated request with the same key gets the original response. With a different request the same key is rejected (`idempotency_key_reused`). */
        'idempotency-key'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody?: {
      content: {
        'application/json': {
          /**
           * @description DID of the publisher of the status list
           * @example did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0
           */
          did?: string
          /** @description Name of the DID-Linked Resource that holds the list; at most 64 bytes of UTF-8 */
          statusListName?: string
          /** @description Index to check */
          index?: number
          /**
           * @description Indices to check
           * @example [
           *       0,
           *       94567
           *     ]
           */
          indices?: number[]
          /** @description First index of a range */
          indexRangeStart?: number
          /** @description Last index of a range, inclusive */
          indexRangeEnd?: number
          /** @description Address of the list, a DID URL or an https address, also of other publishers. With did and statusListName, it must name the same list */
          statusListCredential?: string
          /** @description Address of the list, as tokens name it */
          uri?: string
          /** @description A token that names list and index: a JWT, an SD-JWT, or a CWT in base64url. Its own signature is not checked */
          token?: string
          /** @description Issuer of the credentials of a list that is served over https: the list must be signed by it, or by one of its status issuers */
          issuer?: string
          /** @description Bits per entry; must match the list. Default 2 for older lists that do not say */
          statusSize?: number
          /** @description Messages of the values, one for each; must match the list */
          statusMessage?: {
            /** @description The value, such as `0x2` */
            status: string
            /** @description What the value means */
            message: string
          }[]
          /**
           * @description `stored`: including changes that are not published yet, for lists of the account with `publishEvery`; `published`: what verifiers see (the default)
           * @enum {string}
           */
          state?: 'stored' | 'published'
          /** @description Pay the fee of an encrypted list if not yet paid; default: true */
          makeFeePayment?: boolean
          /** @description Maximum that this call may pay, in CHEQ; default: the limit of the installation */
          maxFee?: number
        }
        'application/x-www-form-urlencoded': {
          /**
           * @description DID of the publisher of the status list
           * @example did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0
           */
          did?: string
          /** @description Name of the DID-Linked Resource that holds the list; at most 64 bytes of UTF-8 */
          statusListName?: string
          /** @description Index to check */
          index?: number
          /**
           * @description Indices to check
           * @example [
           *       0,
           *       94567
           *     ]
           */
          indices?: number[]
          /** @description First index of a range */
          indexRangeStart?: number
          /** @description Last index of a range, inclusive */
          indexRangeEnd?: number
          /** @description Address of the list, a DID URL or an https address, also of other publishers. With did and statusListName, it must name the same list */
          statusListCredential?: string
          /** @description Address of the list, as tokens name it */
          uri?: string
          /** @description A token that names list and index: a JWT, an SD-JWT, or a CWT in base64url. Its own signature is not checked */
          token?: string
          /** @description Issuer of the credentials of a list that is served over https: the list must be signed by it, or by one of its status issuers */
          issuer?: string
          /** @description Bits per entry; must match the list. Default 2 for older lists that do not say */
          statusSize?: number
          /** @description Messages of the values, one for each; must match the list */
          statusMessage?: {
            /** @description The value, such as `0x2` */
            status: string
            /** @description What the value means */
            message: string
          }[]
          /**
           * @description `stored`: including changes that are not published yet, for lists of the account with `publishEvery`; `published`: what verifiers see (the default)
           * @enum {string}
           */
          state?: 'stored' | 'published'
          /** @description Pay the fee of an encrypted list if not yet paid; default: true */
          makeFeePayment?: boolean
          /** @description Maximum that this call may pay, in CHEQ; default: the limit of the installation */
          maxFee?: number
        }
      }
    }
    responses: {
      /** @description Done */
      200: {
        headers: {
          /** @description `true` if this is the response of an earlier request; absent otherwise */
          'idempotency-replayed'?: boolean
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "checked": true,
           *       "revoked": false,
           *       "status": 0,
           *       "valid": true,
           *       "purpose": "revocation"
           *     }
           */
          'application/json': components['schemas']['StatusListCheckResult']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthenticated']
      403: components['responses']['Forbidden']
      408: components['responses']['TooSlow']
      413: components['responses']['TooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalError']
      503: components['responses']['Unavailable']
    }
  }
  'search-status-list': {
    parameters: {
      query: {
        /** @description DID of the publisher of the status list */
        did: string
        /** @description Name of the DID-Linked Resource that holds the list; at most 64 bytes of UTF-8 */
        statusListName: string
        /** @description Type of the status list, one of the configured ones */
        listType: string
        statusPurpose?: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "found": true,
           *       "resource": {
           *         "StatusList2021": {
           *           "statusPurpose": "revocation",
           *           "encodedList": "H4sIAAAAAAAAA-3BMQEAAADCoPVPbQsvoAAAAAAAAAAAAAAAAP4GcwM92tQwAAA",
           *           "type": "StatusList2021Revocation",
           *           "validFrom": "2026-01-31T09:30:00Z"
           *         },
           *         "metadata": {
           *           "type": "StatusList2021Revocation",
           *           "encoding": "base64url",
           *           "encrypted": false
           *         }
           *       },
           *       "resourceMetadata": {
           *         "resourceURI": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0/resources/5e16a3f9-7c6e-4b6b-8e28-20f56780ee25",
           *         "resourceCollectionId": "7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *         "resourceId": "5e16a3f9-7c6e-4b6b-8e28-20f56780ee25",
           *         "resourceName": "my-list",
           *         "resourceType": "StatusList2021Revocation",
           *         "mediaType": "application/json",
           *         "resourceVersion": "2",
           *         "created": "2026-01-31T09:30:00Z",
           *         "checksum": "909e22e371a41afbb96c330a97752cf7c8856088f1f937f87decbef06cbe9ca2",
           *         "previousVersionId": "e66a9416-d03e-4ced-95e3-07af16e25bc5",
           *         "nextVersionId": null
           *       },
           *       "statusListId": "mUY-vBaZYeg1P_eeuuC8E3",
           *       "allocated": 1501,
           *       "entries": 131072
           *     }
           */
          'application/json': components['schemas']['StatusListSearchResult']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthenticated']
      403: components['responses']['Forbidden']
      404: components['responses']['NotFound']
      408: components['responses']['TooSlow']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalError']
      503: components['responses']['Unavailable']
    }
  }
  'status-list-entries': {
    parameters: {
      query: {
        /** @description DID of the publisher of the status list */
        did: string
        /** @description Name of the DID-Linked Resource that holds the list; at most 64 bytes of UTF-8 */
        statusListName: string
        /** @description Type of the status list, one of the configured ones */
        listType: string
        /** @description Purpose of the list, for types with one list per purpose */
        resourceType?: string
        /** @description Id of the version; default: the newest */
        resourceId?: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "resourceId": "5e16a3f9-7c6e-4b6b-8e28-20f56780ee25",
           *       "statusSize": 1,
           *       "order": "msb",
           *       "purposes": [
           *         "revocation"
           *       ],
           *       "encrypted": false,
           *       "length": 131072,
           *       "bits": "H4sIAAAAAAAAA-3BMQEAAADCoPVPbQwfoAAAAAAAAAAAAAAAAAAAAIC3AYbSVKsAQAAA",
           *       "values": [
           *         {
           *           "value": 0,
           *           "entries": 131072,
           *           "valid": true,
           *           "revoked": false,
           *           "actions": [
           *             "revoke"
           *           ]
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['StatusListEntries']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthenticated']
      403: components['responses']['Forbidden']
      404: components['responses']['NotFound']
      408: components['responses']['TooSlow']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalError']
      503: components['responses']['Unavailable']
    }
  }
  'status-list-types': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "types": [
           *         {
           *           "type": "StatusList2021",
           *           "entryType": "StatusList2021Entry",
           *           "purposes": [
           *             "revocation",
           *             "suspension"
           *           ],
           *           "statusSizes": [
           *             1
           *           ],
           *           "resourceTypes": [
           *             "StatusList2021Revocation",
           *             "StatusList2021Suspension"
           *           ],
           *           "defaultLength": 131072,
           *           "minLength": 131072,
           *           "embedsProofs": false
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['StatusListTypes']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthenticated']
      403: components['responses']['Forbidden']
      408: components['responses']['TooSlow']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalError']
      503: components['responses']['Unavailable']
    }
  }
  'list-status-lists': {
    parameters: {
      query?: {
        did?: string
        /** @description With a `did`: only the members of this series, newest first, without `page` */
        series?: string
        /** @description From 1 on, up to 10000 lists; beyond that use `after` */
        page?: number
        /** @description `next` of the previous page, instead of `page` */
        after?: string
        /** @description Lists on a page, at most */
        limit?: number
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "total": 1,
           *       "statusLists": [
           *         {
           *           "did": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "statusListName": "my-list",
           *           "statusListId": "mUY-vBaZYeg1P_eeuuC8E3",
           *           "listType": "StatusList2021",
           *           "allocated": 1501,
           *           "entries": 131072,
           *           "versions": 2,
           *           "resourceMetadata": {
           *             "resourceURI": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0/resources/5e16a3f9-7c6e-4b6b-8e28-20f56780ee25",
           *             "resourceCollectionId": "7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *             "resourceId": "5e16a3f9-7c6e-4b6b-8e28-20f56780ee25",
           *             "resourceName": "my-list",
           *             "resourceType": "StatusList2021Revocation",
           *             "mediaType": "application/json",
           *             "resourceVersion": "2",
           *             "created": "2026-01-31T09:30:00Z",
           *             "checksum": "909e22e371a41afbb96c330a97752cf7c8856088f1f937f87decbef06cbe9ca2",
           *             "previousVersionId": "e66a9416-d03e-4ced-95e3-07af16e25bc5",
           *             "nextVersionId": null
           *           }
           *         }
           *       ],
           *       "records": [
           *         {
           *           "did": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "statusListName": "my-list",
           *           "statusListId": "mUY-vBaZYeg1P_eeuuC8E3",
           *           "listType": "StatusList2021",
           *           "allocated": 1501,
           *           "entries": 131072,
           *           "versions": 2,
           *           "resourceMetadata": {
           *             "resourceURI": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0/resources/5e16a3f9-7c6e-4b6b-8e28-20f56780ee25",
           *             "resourceCollectionId": "7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *             "resourceId": "5e16a3f9-7c6e-4b6b-8e28-20f56780ee25",
           *             "resourceName": "my-list",
           *             "resourceType": "StatusList2021Revocation",
           *             "mediaType": "application/json",
           *             "resourceVersion": "2",
           *             "created": "2026-01-31T09:30:00Z",
           *             "checksum": "909e22e371a41afbb96c330a97752cf7c8856088f1f937f87decbef06cbe9ca2",
           *             "previousVersionId": "e66a9416-d03e-4ced-95e3-07af16e25bc5",
           *             "nextVersionId": null
           *           }
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['StatusLists']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthenticated']
      403: components['responses']['Forbidden']
      404: components['responses']['NotFound']
      408: components['responses']['TooSlow']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalError']
      503: components['responses']['Unavailable']
    }
  }
  'status-list-versions': {
    parameters: {
      query: {
        /** @description DID of the publisher of the status list */
        did: string
        /** @description Name of the DID-Linked Resource that holds the list; at most 64 bytes of UTF-8 */
        statusListName: string
        /** @description Type of the status list, one of the configured ones */
        listType: string
        resourceType?: string
        /** @description From 1 on, up to 10000 versions; beyond that use `after` */
        page?: number
        /** @description `next` of the previous page, instead of `page` */
        after?: string
        /** @description Versions on a page, at most */
        limit?: number
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "total": 1,
           *       "versions": [
           *         {
           *           "resourceURI": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0/resources/5e16a3f9-7c6e-4b6b-8e28-20f56780ee25",
           *           "resourceCollectionId": "7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "resourceId": "5e16a3f9-7c6e-4b6b-8e28-20f56780ee25",
           *           "resourceName": "my-list",
           *           "resourceType": "StatusList2021Revocation",
           *           "mediaType": "application/json",
           *           "resourceVersion": "2",
           *           "created": "2026-01-31T09:30:00Z",
           *           "checksum": "909e22e371a41afbb96c330a97752cf7c8856088f1f937f87decbef06cbe9ca2",
           *           "previousVersionId": null,
           *           "nextVersionId": null
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['StatusListVersions']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthenticated']
      403: components['responses']['Forbidden']
      404: components['responses']['NotFound']
      408: components['responses']['TooSlow']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalError']
      503: components['responses']['Unavailable']
    }
  }
  'status-list-payments': {
    parameters: {
      query?: {
        /** @description From 1 on, up to 10000 payments; beyond that use `after` */
        page?: number
        /** @description `next` of the previous page, instead of `page` */
        after?: string
        /** @description Payments on a page, at most */
        limit?: number
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "total": 1,
           *       "payments": [
           *         {
           *           "id": "0b8f4f0e-5f0b-4c39-9f19-9a4a5c9a7a11",
           *           "network": "testnet",
           *           "did": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "statusListName": "my-list",
           *           "feePaymentAddress": "cheqd18as2jngwqpqp5hjadecg25mh8rtjt4l0vzczu5",
           *           "feePaymentAmount": "20000000000ncheq",
           *           "txHash": "5A7A7E2C9B0D4C1FA4C3B4F1E6D2C8B7A6F5E4D3C2B1A0F9E8D7C6B5A4F3E2D1",
           *           "paidAt": "2026-01-31T09:30:00.000Z"
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['StatusListPayments']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthenticated']
      403: components['responses']['Forbidden']
      408: components['responses']['TooSlow']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalError']
      503: components['responses']['Unavailable']
    }
  }
  'status-job-list': {
    parameters: {
      query?: {
        /** @description Only in this state */
        state?: 'queued' | 'running' | 'paused' | 'done' | 'failed' | 'cancelled'
        /** @description Jobs on a page, at most */
        limit?: number
        /** @description `next` of the previous page, instead of `page` */
        after?: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "jobs": [
           *         {
           *           "id": "december-2026",
           *           "state": "running",
           *           "dryRun": false,
           *           "rows": 3000000,
           *           "applied": 1740000,
           *           "refused": 12,
           *           "createdAt": "2026-12-01T09:30:00.000Z",
           *           "checksum": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['StatusJobList']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthenticated']
      403: components['responses']['Forbidden']
      408: components['responses']['TooSlow']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalError']
      503: components['responses']['Unavailable']
    }
  }
  'status-job-create': {
    parameters: {
      query?: {
        jobId?: string
        /** @description Only find out what would be applied and what refused; default: false */
        dryRun?: boolean
      }
      header?: {
        /** @description Chosen by the client, for example a UUID: a repeated request with the same key gets the original response. With a different request the same key is rejected (`idempotency_key_reused`). */
        'idempotency-key'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /**
           * @description Action to perform on each of the credentials
           * @enum {string}
           */
          action: 'revoke' | 'suspend' | 'reinstate'
          /** @description For your own records; kept with the job, encrypted */
          reason?: string
          /**
           * Format: date-time
           * @description With `issuedUntil`: credentials issued at this time or later
           */
          issuedFrom?: string
          /**
           * Format: date-time
           * @description With `issuedFrom`: credentials issued before this time
           */
          issuedUntil?: string
          /** @description Instead of the times: credentials signed by this key of the account */
          kid?: string
        }
        'application/x-www-form-urlencoded': {
          /**
           * @description Action to perform on each of the credentials
           * @enum {string}
           */
          action: 'revoke' | 'suspend' | 'reinstate'
          /** @description For your own records; kept with the job, encrypted */
          reason?: string
          /**
           * Format: date-time
           * @description With `issuedUntil`: credentials issued at this time or later
           */
          issuedFrom?: string
          /**
           * Format: date-time
           * @description With `issuedFrom`: credentials issued before this time
           */
          issuedUntil?: string
          /** @description Instead of the times: credentials signed by this key of the account */
          kid?: string
        }
        'text/csv': string
        'application/x-ndjson': string
      }
    }
    responses: {
      /** @description Done */
      202: {
        headers: {
          /** @description `true` if this is the response of an earlier request; absent otherwise */
          'idempotency-replayed'?: boolean
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "id": "december-2026",
           *       "state": "running",
           *       "dryRun": false,
           *       "rows": 3000000,
           *       "applied": 1740000,
           *       "refused": 12,
           *       "createdAt": "2026-12-01T09:30:00.000Z",
           *       "checksum": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
           *     }
           */
          'application/json': components['schemas']['StatusJob']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthenticated']
      403: components['responses']['Forbidden']
      408: components['responses']['TooSlow']
      413: components['responses']['TooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalError']
      503: components['responses']['Unavailable']
    }
  }
  'status-job-read': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description Id of the job, chosen by the caller; the same id again returns the same job */
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "id": "december-2026",
           *       "state": "running",
           *       "dryRun": false,
           *       "rows": 3000000,
           *       "applied": 1740000,
           *       "refused": 12,
           *       "createdAt": "2026-12-01T09:30:00.000Z",
           *       "checksum": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
           *     }
           */
          'application/json': components['schemas']['StatusJob']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthenticated']
      403: components['responses']['Forbidden']
      404: components['responses']['NotFound']
      408: components['responses']['TooSlow']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalError']
      503: components['responses']['Unavailable']
    }
  }
  'status-job-report': {
    parameters: {
      query?: {
        /** @description Refused rows on a page, at most */
        limit?: number
        /** @description `next` of the previous page, instead of `page` */
        after?: string
      }
      header?: never
      path: {
        /** @description Id of the job, chosen by the caller; the same id again returns the same job */
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "id": "december-2026",
           *       "refused": [
           *         {
           *           "line": 17,
           *           "reason": "not_registered",
           *           "message": "the account has issued no credential with this id and a status entry"
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['StatusJobReport']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthenticated']
      403: components['responses']['Forbidden']
      404: components['responses']['NotFound']
      408: components['responses']['TooSlow']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalError']
      503: components['responses']['Unavailable']
    }
  }
  'status-job-pause': {
    parameters: {
      query?: never
      header?: {
        /** @description Chosen by the client, for example a UUID: a repeated request with the same key gets the original response. With a different request the same key is rejected (`idempotency_key_reused`). */
        'idempotency-key'?: string
      }
      path: {
        /** @description Id of the job, chosen by the caller; the same id again returns the same job */
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          /** @description `true` if this is the response of an earlier request; absent otherwise */
          'idempotency-replayed'?: boolean
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "id": "december-2026",
           *       "state": "paused",
           *       "dryRun": false,
           *       "rows": 3000000,
           *       "applied": 1740000,
           *       "refused": 12,
           *       "createdAt": "2026-12-01T09:30:00.000Z",
           *       "checksum": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
           *     }
           */
          'application/json': components['schemas']['StatusJob']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthenticated']
      403: components['responses']['Forbidden']
      404: components['responses']['NotFound']
      408: components['responses']['TooSlow']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalError']
      503: components['responses']['Unavailable']
    }
  }
  'status-job-resume': {
    parameters: {
      query?: never
      header?: {
        /** @description Chosen by the client, for example a UUID: a repeated request with the same key gets the original response. With a different request the same key is rejected (`idempotency_key_reused`). */
        'idempotency-key'?: string
      }
      path: {
        /** @description Id of the job, chosen by the caller; the same id again returns the same job */
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          /** @description `true` if this is the response of an earlier request; absent otherwise */
          'idempotency-replayed'?: boolean
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "id": "december-2026",
           *       "state": "queued",
           *       "dryRun": false,
           *       "rows": 3000000,
           *       "applied": 1740000,
           *       "refused": 12,
           *       "createdAt": "2026-12-01T09:30:00.000Z",
           *       "checksum": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
           *     }
           */
          'application/json': components['schemas']['StatusJob']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthenticated']
      403: components['responses']['Forbidden']
      404: components['responses']['NotFound']
      408: components['responses']['TooSlow']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalError']
      503: components['responses']['Unavailable']
    }
  }
  'status-job-cancel': {
    parameters: {
      query?: never
      header?: {
        /** @description Chosen by the client, for example a UUID: a repeated request with the same key gets the original response. With a different request the same key is rejected (`idempotency_key_reused`). */
        'idempotency-key'?: string
      }
      path: {
        /** @description Id of the job, chosen by the caller; the same id again returns the same job */
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          /** @description `true` if this is the response of an earlier request; absent otherwise */
          'idempotency-replayed'?: boolean
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "id": "december-2026",
           *       "state": "cancelled",
           *       "dryRun": false,
           *       "rows": 3000000,
           *       "applied": 1740000,
           *       "refused": 12,
           *       "createdAt": "2026-12-01T09:30:00.000Z",
           *       "checksum": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
           *       "endedAt": "2026-12-01T09:31:00.000Z"
           *     }
           */
          'application/json': components['schemas']['StatusJob']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthenticated']
      403: components['responses']['Forbidden']
      404: components['responses']['NotFound']
      408: components['responses']['TooSlow']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalError']
      503: components['responses']['Unavailable']
    }
  }
  'verify-receipt': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /** @description The receipt of an update: a compact JWS */
          receipt: string
        }
        'application/x-www-form-urlencoded': {
          /** @description The receipt of an update: a compact JWS */
          receipt: string
        }
      }
    }
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "verified": true,
           *       "receipt": {
           *         "iss": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *         "iat": 1769851800,
           *         "list": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0?resourceName=employees&resourceType=BitstringStatusListCredential",
           *         "indices": [
           *           94567
           *         ],
           *         "action": "revoke",
           *         "status": 1,
           *         "resourceId": "9f6a2b1c-3d4e-4f5a-8b6c-7d8e9f0a1b2c",
           *         "resourceVersion": "",
           *         "checksum": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
           *       },
           *       "checks": [
           *         {
           *           "check": "format",
           *           "ok": true
           *         },
           *         {
           *           "check": "signature",
           *           "ok": true
           *         },
           *         {
           *           "check": "version",
           *           "ok": true
           *         },
           *         {
           *           "check": "status",
           *           "ok": true
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['ReceiptVerification']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthenticated']
      403: components['responses']['Forbidden']
      408: components['responses']['TooSlow']
      413: components['responses']['TooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalError']
      503: components['responses']['Unavailable']
    }
  }
  'credential-issue': {
    parameters: {
      query?: never
      header?: {
        /** @description Chosen by the client, for example a UUID: a repeated request with the same key gets the original response. With a different request the same key is rejected (`idempotency_key_reused`). */
        'idempotency-key'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /**
           * @description DID of the issuer, held by the account
           * @example did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0
           */
          issuerDid: string
          /**
           * @description DID of the subject
           * @example did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0
           */
          subjectDid?: string
          /** @description Its `id` (`jti` of an SD-JWT VC): a URI. Default: a new `urn:uuid:` if it has a `credentialStatus`, otherwise none */
          credentialId?: string
          /** @description Claims about the subject: at least one besides its `id` */
          attributes: {
            [key: string]: unknown
          }
          /** @description Contexts in addition to that of the data model */
          '@context'?: string[]
          /** @description Types in addition to VerifiableCredential */
          type?: string[]
          /** @description Name of the credential, in one language or several */
          name?: unknown
          /** @description As `name` */
          description?: unknown
          /** @description Start of the validity period; default: now */
          validFrom?: string
          /** @description End of the validity period, in the future and after `validFrom` */
          validUntil?: string
          /** @description Alias of `validUntil` */
          expirationDate?: string
          /**
           * @description Form of the credential, one of the configured ones; default: the first. `jwt` is `jwt_vc`
           * @example jwt_vc
           * @example vc+jwt
           * @example dc+sd-jwt
           * @example vc+sd-jwt
           * @example ldp_vc
           */
          format?: string
          /** @description Type of an SD-JWT VC (required there); other formats have `type` */
          vct?: string
          /**
           * @description SD-JWT formats: which `attributes` are selectively disclosable. `{"_sd": ["name"]}` makes the claim `name` selectively disclosable; nested members describe nested objects, `_sd_decoy` adds decoy digests
           * @example {
           *       "_sd": [
           *         "name"
           *       ]
           *     }
           */
          disclosureFrame?: {
            [key: string]: unknown
          }
          /** @description SD-JWT VCs: the key that the holder proves, in place of that of the DID of the subject. Only the members of the public key are kept */
          cnf?: {
            /** @description JWK of a public key that can sign */
            jwk: {
              [key: string]: unknown
            }
          }
          /** @description See VC data model 2.0, 4.11; kept as it is */
          credentialSchema?:
            | {
                [key: string]: unknown
              }
            | {
                [key: string]: unknown
              }[]
          /** @description Status of the credential: requests for entries, and ready entries */
          credentialStatus?:
            components['schemas']['RequestedStatus'] | components['schemas']['RequestedStatus'][]
          /** @description See VC data model 1.1, 5.5 */
          termsOfUse?:
            | {
                [key: string]: unknown
              }
            | {
                [key: string]: unknown
              }[]
          /** @description See VC data model 1.1, 5.4 */
          refreshService?:
            | {
                [key: string]: unknown
              }
            | {
                [key: string]: unknown
              }[]
          /** @description See VC data model 1.1, 5.6 */
          evidence?:
            | {
                [key: string]: unknown
              }
            | {
                [key: string]: unknown
              }[]
        }
        'application/x-www-form-urlencoded': {
          /**
           * @description DID of the issuer, held by the account
           * @example did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0
           */
          issuerDid: string
          /**
           * @description DID of the subject
           * @example did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0
           */
          subjectDid?: string
          /** @description Its `id` (`jti` of an SD-JWT VC): a URI. Default: a new `urn:uuid:` if it has a `credentialStatus`, otherwise none */
          credentialId?: string
          /** @description Claims about the subject: at least one besides its `id` */
          attributes: {
            [key: string]: unknown
          }
          /** @description Contexts in addition to that of the data model */
          '@context'?: string[]
          /** @description Types in addition to VerifiableCredential */
          type?: string[]
          /** @description Name of the credential, in one language or several */
          name?: unknown
          /** @description As `name` */
          description?: unknown
          /** @description Start of the validity period; default: now */
          validFrom?: string
          /** @description End of the validity period, in the future and after `validFrom` */
          validUntil?: string
          /** @description Alias of `validUntil` */
          expirationDate?: string
          /**
           * @description Form of the credential, one of the configured ones; default: the first. `jwt` is `jwt_vc`
           * @example jwt_vc
           * @example vc+jwt
           * @example dc+sd-jwt
           * @example vc+sd-jwt
           * @example ldp_vc
           */
          format?: string
          /** @description Type of an SD-JWT VC (required there); other formats have `type` */
          vct?: string
          /**
           * @description SD-JWT formats: which `attributes` are selectively disclosable. `{"_sd": ["name"]}` makes the claim `name` selectively disclosable; nested members describe nested objects, `_sd_decoy` adds decoy digests
           * @example {
           *       "_sd": [
           *         "name"
           *       ]
           *     }
           */
          disclosureFrame?: {
            [key: string]: unknown
          }
          /** @description SD-JWT VCs: the key that the holder proves, in place of that of the DID of the subject. Only the members of the public key are kept */
          cnf?: {
            /** @description JWK of a public key that can sign */
            jwk: {
              [key: string]: unknown
            }
          }
          /** @description See VC data model 2.0, 4.11; kept as it is */
          credentialSchema?:
            | {
                [key: string]: unknown
              }
            | {
                [key: string]: unknown
              }[]
          /** @description Status of the credential: requests for entries, and ready entries */
          credentialStatus?:
            components['schemas']['RequestedStatus'] | components['schemas']['RequestedStatus'][]
          /** @description See VC data model 1.1, 5.5 */
          termsOfUse?:
            | {
                [key: string]: unknown
              }
            | {
                [key: string]: unknown
              }[]
          /** @description See VC data model 1.1, 5.4 */
          refreshService?:
            | {
                [key: string]: unknown
              }
            | {
                [key: string]: unknown
              }[]
          /** @description See VC data model 1.1, 5.6 */
          evidence?:
            | {
                [key: string]: unknown
              }
            | {
                [key: string]: unknown
              }[]
        }
      }
    }
    responses: {
      /** @description Done */
      200: {
        headers: {
          /** @description `true` if this is the response of an earlier request; absent otherwise */
          'idempotency-replayed'?: boolean
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "@context": [
           *         "https://www.w3.org/2018/credentials/v1",
           *         "https://www.w3.org/ns/credentials/status/v1"
           *       ],
           *       "type": [
           *         "VerifiableCredential",
           *         "Person"
           *       ],
           *       "issuer": {
           *         "id": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0"
           *       },
           *       "credentialSubject": {
           *         "id": "did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK",
           *         "name": "Bob"
           *       },
           *       "issuanceDate": "2026-01-31T09:30:00.000Z",
           *       "credentialStatus": {
           *         "type": "BitstringStatusListEntry",
           *         "id": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0?resourceName=employees&resourceType=BitstringStatusListCredential#94567",
           *         "statusPurpose": "revocation",
           *         "statusListIndex": "94567",
           *         "statusListCredential": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0?resourceName=employees&resourceType=BitstringStatusListCredential"
           *       },
           *       "proof": {
           *         "type": "JwtProof2020",
           *         "jwt": "eyJhbGciOiJFZERTQSIsInR5cCI6IkpXVCJ9.eyJ2YyI6e319.c2lnbmF0dXJl"
           *       }
           *     }
           */
          'application/json': components['schemas']['VerifiableCredential']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthenticated']
      403: components['responses']['Forbidden']
      408: components['responses']['TooSlow']
      413: components['responses']['TooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalError']
      503: components['responses']['Unavailable']
    }
  }
  'credential-verify': {
    parameters: {
      query?: {
        /** @description Must be true or omitted: use `statusPolicy` */
        verifyStatus?: boolean
      }
      header?: {
        /** @description Chosen by the client, for example a UUID: a repeated request with the same key gets the original response. With a different request the same key is rejected (`idempotency_key_reused`). */
        'idempotency-key'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /** @description The credential: JWT or SD-JWT, or JSON with one as its proof */
          credential:
            | string
            | {
                [key: string]: unknown
              }
          /**
           * @description `default`: every status entry must be valid; `required`: and there must be one for revocation; `skip`: none is checked
           * @enum {string}
           */
          statusPolicy?: 'default' | 'required' | 'skip'
          /** @description Pay to read encrypted status lists. Default false: a status in an unpaid encrypted list does not verify */
          makeFeePayment?: boolean
          /**
           * @description Maximum that this call may pay for all encrypted lists together, in CHEQ; default: the limit of the installation
           * @example 5
           */
          maxFee?: number
          /**
           * @deprecated
           * @description Accepted and ignored. Policies are ignored: everything is verified.
           */
          policies?: unknown
        }
        'application/x-www-form-urlencoded': {
          /** @description The credential: JWT or SD-JWT, or JSON with one as its proof */
          credential:
            | string
            | {
                [key: string]: unknown
              }
          /**
           * @description `default`: every status entry must be valid; `required`: and there must be one for revocation; `skip`: none is checked
           * @enum {string}
           */
          statusPolicy?: 'default' | 'required' | 'skip'
          /** @description Pay to read encrypted status lists. Default false: a status in an unpaid encrypted list does not verify */
          makeFeePayment?: boolean
          /**
           * @description Maximum that this call may pay for all encrypted lists together, in CHEQ; default: the limit of the installation
           * @example 5
           */
          maxFee?: number
          /**
           * @deprecated
           * @description Accepted and ignored. Policies are ignored: everything is verified.
           */
          policies?: unknown
        }
      }
    }
    responses: {
      /** @description Done */
      200: {
        headers: {
          /** @description `true` if this is the response of an earlier request; absent otherwise */
          'idempotency-replayed'?: boolean
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "verified": true,
           *       "issuer": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *       "subject": "did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK",
           *       "signer": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0#key-1",
           *       "checks": [
           *         {
           *           "check": "signature",
           *           "ok": true
           *         },
           *         {
           *           "check": "validity",
           *           "ok": true
           *         },
           *         {
           *           "check": "status",
           *           "ok": true
           *         }
           *       ],
           *       "statuses": [
           *         {
           *           "type": "BitstringStatusListEntry",
           *           "purpose": "revocation",
           *           "list": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0?resourceName=employees&resourceType=BitstringStatusListCredential",
           *           "index": 94567,
           *           "status": 0,
           *           "valid": true,
           *           "revoked": false
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['CredentialVerification']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthenticated']
      403: components['responses']['Forbidden']
      408: components['responses']['TooSlow']
      413: components['responses']['TooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalError']
      503: components['responses']['Unavailable']
    }
  }
  'credential-revoke': {
    parameters: {
      query?: {
        /** @description Which of its entries, if ambiguous */
        listType?: string
        /** @description Must be true or omitted: every change is published */
        publish?: boolean
      }
      header?: {
        /** @description Chosen by the client, for example a UUID: a repeated request with the same key gets the original response. With a different request the same key is rejected (`idempotency_key_reused`). */
        'idempotency-key'?: string
        /** @description `return=minimal` omits `resource` from the response (RFC 7240). */
        prefer?: string
      }
      path?: never
      cookie?: never
    }
    requestBody?: {
      content: {
        'application/json': {
          /** @description The credential: JWT or SD-JWT, or JSON with one as its proof */
          credential?:
            | string
            | {
                [key: string]: unknown
              }
          /** @description Instead of `credential`: the id of a credential in the register of the account */
          credentialId?: string
          /** @description Version of the resource, for people; at most 64 bytes of UTF-8 */
          statusListVersion?: string
          /**
           * @description `wait`: respond once the new version is in the static publication as well, or after a time limit
           * @constant
           */
          publication?: 'wait'
          /** @description Return a signed `receipt` of the update; default: false */
          receipt?: boolean
        }
        'application/x-www-form-urlencoded': {
          /** @description The credential: JWT or SD-JWT, or JSON with one as its proof */
          credential?:
            | string
            | {
                [key: string]: unknown
              }
          /** @description Instead of `credential`: the id of a credential in the register of the account */
          credentialId?: string
          /** @description Version of the resource, for people; at most 64 bytes of UTF-8 */
          statusListVersion?: string
          /**
           * @description `wait`: respond once the new version is in the static publication as well, or after a time limit
           * @constant
           */
          publication?: 'wait'
          /** @description Return a signed `receipt` of the update; default: false */
          receipt?: boolean
        }
      }
    }
    responses: {
      /** @description Done */
      200: {
        headers: {
          /** @description `true` if this is the response of an earlier request; absent otherwise */
          'idempotency-replayed'?: boolean
          /** @description `return=minimal` if `resource` was omitted as requested */
          'preference-applied'?: string
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "updated": true,
           *       "changed": [
           *         94567
           *       ],
           *       "revoked": true,
           *       "published": true,
           *       "did": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *       "statusListName": "my-list",
           *       "listType": "StatusList2021",
           *       "index": 94567,
           *       "resource": {
           *         "StatusList2021": {
           *           "statusPurpose": "revocation",
           *           "encodedList": "H4sIAAAAAAAAA-3BMQEAAADCoPVPbQsvoAAAAAAAAAAAAAAAAP4GcwM92tQwAAA",
           *           "type": "StatusList2021Revocation",
           *           "validFrom": "2026-01-31T09:30:00Z"
           *         },
           *         "metadata": {
           *           "type": "StatusList2021Revocation",
           *           "encoding": "base64url",
           *           "encrypted": false
           *         }
           *       },
           *       "resourceMetadata": {
           *         "resourceURI": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0/resources/5e16a3f9-7c6e-4b6b-8e28-20f56780ee25",
           *         "resourceCollectionId": "7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *         "resourceId": "5e16a3f9-7c6e-4b6b-8e28-20f56780ee25",
           *         "resourceName": "my-list",
           *         "resourceType": "StatusList2021Revocation",
           *         "mediaType": "application/json",
           *         "resourceVersion": "2",
           *         "created": "2026-01-31T09:30:00Z",
           *         "checksum": "909e22e371a41afbb96c330a97752cf7c8856088f1f937f87decbef06cbe9ca2",
           *         "previousVersionId": "e66a9416-d03e-4ced-95e3-07af16e25bc5",
           *         "nextVersionId": null
           *       }
           *     }
           */
          'application/json': components['schemas']['CredentialUpdateResult']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthenticated']
      403: components['responses']['Forbidden']
      408: components['responses']['TooSlow']
      413: components['responses']['TooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalError']
      503: components['responses']['Unavailable']
    }
  }
  'credential-suspend': {
    parameters: {
      query?: {
        /** @description Which of its entries, if ambiguous */
        listType?: string
        /** @description Must be true or omitted: every change is published */
        publish?: boolean
      }
      header?: {
        /** @description Chosen by the client, for example a UUID: a repeated request with the same key gets the original response. With a different request the same key is rejected (`idempotency_key_reused`). */
        'idempotency-key'?: string
        /** @description `return=minimal` omits `resource` from the response (RFC 7240). */
        prefer?: string
      }
      path?: never
      cookie?: never
    }
    requestBody?: {
      content: {
        'application/json': {
          /** @description The credential: JWT or SD-JWT, or JSON with one as its proof */
          credential?:
            | string
            | {
                [key: string]: unknown
              }
          /** @description Instead of `credential`: the id of a credential in the register of the account */
          credentialId?: string
          /** @description Version of the resource, for people; at most 64 bytes of UTF-8 */
          statusListVersion?: string
          /**
           * @description `wait`: respond once the new version is in the static publication as well, or after a time limit
           * @constant
           */
          publication?: 'wait'
          /** @description Return a signed `receipt` of the update; default: false */
          receipt?: boolean
        }
        'application/x-www-form-urlencoded': {
          /** @description The credential: JWT or SD-JWT, or JSON with one as its proof */
          credential?:
            | string
            | {
                [key: string]: unknown
              }
          /** @description Instead of `credential`: the id of a credential in the register of the account */
          credentialId?: string
          /** @description Version of the resource, for people; at most 64 bytes of UTF-8 */
          statusListVersion?: string
          /**
           * @description `wait`: respond once the new version is in the static publication as well, or after a time limit
           * @constant
           */
          publication?: 'wait'
          /** @description Return a signed `receipt` of the update; default: false */
          receipt?: boolean
        }
      }
    }
    responses: {
      /** @description Done */
      200: {
        headers: {
          /** @description `true` if this is the response of an earlier request; absent otherwise */
          'idempotency-replayed'?: boolean
          /** @description `return=minimal` if `resource` was omitted as requested */
          'preference-applied'?: string
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "updated": true,
           *       "changed": [
           *         94567
           *       ],
           *       "suspended": true,
           *       "published": true,
           *       "did": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *       "statusListName": "my-list",
           *       "listType": "StatusList2021",
           *       "index": 94567,
           *       "resource": {
           *         "StatusList2021": {
           *           "statusPurpose": "revocation",
           *           "encodedList": "H4sIAAAAAAAAA-3BMQEAAADCoPVPbQsvoAAAAAAAAAAAAAAAAP4GcwM92tQwAAA",
           *           "type": "StatusList2021Revocation",
           *           "validFrom": "2026-01-31T09:30:00Z"
           *         },
           *         "metadata": {
           *           "type": "StatusList2021Revocation",
           *           "encoding": "base64url",
           *           "encrypted": false
           *         }
           *       },
           *       "resourceMetadata": {
           *         "resourceURI": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0/resources/5e16a3f9-7c6e-4b6b-8e28-20f56780ee25",
           *         "resourceCollectionId": "7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *         "resourceId": "5e16a3f9-7c6e-4b6b-8e28-20f56780ee25",
           *         "resourceName": "my-list",
           *         "resourceType": "StatusList2021Revocation",
           *         "mediaType": "application/json",
           *         "resourceVersion": "2",
           *         "created": "2026-01-31T09:30:00Z",
           *         "checksum": "909e22e371a41afbb96c330a97752cf7c8856088f1f937f87decbef06cbe9ca2",
           *         "previousVersionId": "e66a9416-d03e-4ced-95e3-07af16e25bc5",
           *         "nextVersionId": null
           *       }
           *     }
           */
          'application/json': components['schemas']['CredentialUpdateResult']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthenticated']
      403: components['responses']['Forbidden']
      408: components['responses']['TooSlow']
      413: components['responses']['TooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalError']
      503: components['responses']['Unavailable']
    }
  }
  'credential-reinstate': {
    parameters: {
      query?: {
        /** @description Which of its entries, if ambiguous */
        listType?: string
        /** @description Must be true or omitted: every change is published */
        publish?: boolean
      }
      header?: {
        /** @description Chosen by the client, for example a UUID: a repeated request with the same key gets the original response. With a different request the same key is rejected (`idempotency_key_reused`). */
        'idempotency-key'?: string
        /** @description `return=minimal` omits `resource` from the response (RFC 7240). */
        prefer?: string
      }
      path?: never
      cookie?: never
    }
    requestBody?: {
      content: {
        'application/json': {
          /** @description The credential: JWT or SD-JWT, or JSON with one as its proof */
          credential?:
            | string
            | {
                [key: string]: unknown
              }
          /** @description Instead of `credential`: the id of a credential in the register of the account */
          credentialId?: string
          /** @description Version of the resource, for people; at most 64 bytes of UTF-8 */
          statusListVersion?: string
          /**
           * @description `wait`: respond once the new version is in the static publication as well, or after a time limit
           * @constant
           */
          publication?: 'wait'
          /** @description Return a signed `receipt` of the update; default: false */
          receipt?: boolean
        }
        'application/x-www-form-urlencoded': {
          /** @description The credential: JWT or SD-JWT, or JSON with one as its proof */
          credential?:
            | string
            | {
                [key: string]: unknown
              }
          /** @description Instead of `credential`: the id of a credential in the register of the account */
          credentialId?: string
          /** @description Version of the resource, for people; at most 64 bytes of UTF-8 */
          statusListVersion?: string
          /**
           * @description `wait`: respond once the new version is in the static publication as well, or after a time limit
           * @constant
           */
          publication?: 'wait'
          /** @description Return a signed `receipt` of the update; default: false */
          receipt?: boolean
        }
      }
    }
    responses: {
      /** @description Done */
      200: {
        headers: {
          /** @description `true` if this is the response of an earlier request; absent otherwise */
          'idempotency-replayed'?: boolean
          /** @description `return=minimal` if `resource` was omitted as requested */
          'preference-applied'?: string
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "updated": true,
           *       "changed": [
           *         94567
           *       ],
           *       "unsuspended": true,
           *       "published": true,
           *       "did": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *       "statusListName": "my-list",
           *       "listType": "StatusList2021",
           *       "index": 94567,
           *       "resource": {
           *         "StatusList2021": {
           *           "statusPurpose": "revocation",
           *           "encodedList": "H4sIAAAAAAAAA-3BMQEAAADCoPVPbQsvoAAAAAAAAAAAAAAAAP4GcwM92tQwAAA",
           *           "type": "StatusList2021Revocation",
           *           "validFrom": "2026-01-31T09:30:00Z"
           *         },
           *         "metadata": {
           *           "type": "StatusList2021Revocation",
           *           "encoding": "base64url",
           *           "encrypted": false
           *         }
           *       },
           *       "resourceMetadata": {
           *         "resourceURI": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0/resources/5e16a3f9-7c6e-4b6b-8e28-20f56780ee25",
           *         "resourceCollectionId": "7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *         "resourceId": "5e16a3f9-7c6e-4b6b-8e28-20f56780ee25",
           *         "resourceName": "my-list",
           *         "resourceType": "StatusList2021Revocation",
           *         "mediaType": "application/json",
           *         "resourceVersion": "2",
           *         "created": "2026-01-31T09:30:00Z",
           *         "checksum": "909e22e371a41afbb96c330a97752cf7c8856088f1f937f87decbef06cbe9ca2",
           *         "previousVersionId": "e66a9416-d03e-4ced-95e3-07af16e25bc5",
           *         "nextVersionId": null
           *       }
           *     }
           */
          'application/json': components['schemas']['CredentialUpdateResult']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthenticated']
      403: components['responses']['Forbidden']
      408: components['responses']['TooSlow']
      413: components['responses']['TooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalError']
      503: components['responses']['Unavailable']
    }
  }
  'credential-entries': {
    parameters: {
      query?: {
        list?: string
        /** @description An index of `list` */
        index?: number
        did?: string
        /** @description Only credentials issued at this time or later */
        issuedFrom?: string
        /** @description Only credentials issued before this time */
        issuedUntil?: string
        credentialId?: string
        /** @description Entries on a page, at most */
        limit?: number
        /** @description `next` of the previous page, instead of `page` */
        after?: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "entries": [
           *         {
           *           "credentialHash": "0q4l8qkzYcF3vT1cXb2o0H5mK7dWjRr9s6uPpNfGaLE",
           *           "list": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0?resourceName=employees&resourceType=BitstringStatusListCredential",
           *           "index": 94567,
           *           "issuedAt": "2026-01-31T09:30:00.000Z",
           *           "expiresAt": "2027-01-31T00:00:00.000Z",
           *           "state": "valid"
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['CredentialEntries']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthenticated']
      403: components['responses']['Forbidden']
      408: components['responses']['TooSlow']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalError']
      503: components['responses']['Unavailable']
    }
  }
  'presentation-create': {
    parameters: {
      query?: never
      header?: {
        /** @description Chosen by the client, for example a UUID: a repeated request with the same key gets the original response. With a different request the same key is rejected (`idempotency_key_reused`). */
        'idempotency-key'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /** @description Credentials as JWT or SD-JWT, or as JSON whose proof is one of these or a Data Integrity proof */
          credentials: (
            | string
            | {
                [key: string]: unknown
              }
          )[]
          /**
           * @description Form of the presentation, one of the configured ones; default: the first. Credentials in `vp+jwt` and `ldp_vp` are of the data model 2.0; `dc+sd-jwt` shows one SD-JWT, bound to the key of its holder
           * @example jwt_vp
           * @example vp+jwt
           * @example dc+sd-jwt
           * @example ldp_vp
           */
          format?: string
          /**
           * @description DID of the holder, held by the account; default: the subject of the credentials
           * @example did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0
           */
          holderDid?: string
          /**
           * @description DID of the verifier; becomes `aud`, or the `domain` of an `ldp_vp`
           * @example did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0
           */
          verifierDid?: string
          /** @description The verifier, if it has no DID; becomes `aud`, or `domain` */
          audience?: string
          /** @description The challenge of the verifier, which prevents replay */
          nonce?: string
          /**
           * @description For `dc+sd-jwt`: claims to disclose; default: all that come with the credential
           * @example {
           *       "name": true
           *     }
           */
          presentationFrame?: {
            [key: string]: unknown
          }
          /**
           * @description How long it is valid, an ISO 8601 duration; default: `PT1H`
           * @example PT15M
           */
          expiresIn?: string
          /**
           * @deprecated
           * @description Accepted and ignored. Policies are ignored: they apply to verification.
           */
          policies?: unknown
        }
        'application/x-www-form-urlencoded': {
          /** @description Credentials as JWT or SD-JWT, or as JSON whose proof is one of these or a Data Integrity proof */
          credentials: (
            | string
            | {
                [key: string]: unknown
              }
          )[]
          /**
           * @description Form of the presentation, one of the configured ones; default: the first. Credentials in `vp+jwt` and `ldp_vp` are of the data model 2.0; `dc+sd-jwt` shows one SD-JWT, bound to the key of its holder
           * @example jwt_vp
           * @example vp+jwt
           * @example dc+sd-jwt
           * @example ldp_vp
           */
          format?: string
          /**
           * @description DID of the holder, held by the account; default: the subject of the credentials
           * @example did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0
           */
          holderDid?: string
          /**
           * @description DID of the verifier; becomes `aud`, or the `domain` of an `ldp_vp`
           * @example did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0
           */
          verifierDid?: string
          /** @description The verifier, if it has no DID; becomes `aud`, or `domain` */
          audience?: string
          /** @description The challenge of the verifier, which prevents replay */
          nonce?: string
          /**
           * @description For `dc+sd-jwt`: claims to disclose; default: all that come with the credential
           * @example {
           *       "name": true
           *     }
           */
          presentationFrame?: {
            [key: string]: unknown
          }
          /**
           * @description How long it is valid, an ISO 8601 duration; default: `PT1H`
           * @example PT15M
           */
          expiresIn?: string
          /**
           * @deprecated
           * @description Accepted and ignored. Policies are ignored: they apply to verification.
           */
          policies?: unknown
        }
      }
    }
    responses: {
      /** @description Done */
      200: {
        headers: {
          /** @description `true` if this is the response of an earlier request; absent otherwise */
          'idempotency-replayed'?: boolean
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "vp": {
           *         "@context": [
           *           "https://www.w3.org/2018/credentials/v1"
           *         ],
           *         "type": [
           *           "VerifiablePresentation"
           *         ],
           *         "verifiableCredential": [
           *           "eyJhbGciOiJFZERTQSIsInR5cCI6IkpXVCJ9.eyJ2YyI6e319.c2lnbmF0dXJl"
           *         ]
           *       },
           *       "nbf": 1769851800,
           *       "exp": 1769855400,
           *       "iss": "did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK",
           *       "aud": [
           *         "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0"
           *       ],
           *       "proof": {
           *         "type": "JwtProof2020",
           *         "jwt": "eyJhbGciOiJFZERTQSIsInR5cCI6IkpXVCJ9.eyJ2YyI6e319.c2lnbmF0dXJl"
           *       },
           *       "note": "for testing, not for production: in production the holder creates presentations with their own key"
           *     }
           */
          'application/json': components['schemas']['PresentationResult']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthenticated']
      403: components['responses']['Forbidden']
      408: components['responses']['TooSlow']
      413: components['responses']['TooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalError']
      503: components['responses']['Unavailable']
    }
  }
  'presentation-verify': {
    parameters: {
      query?: {
        /** @description Must be true or omitted: use `statusPolicy` */
        verifyStatus?: boolean
      }
      header?: {
        /** @description Chosen by the client, for example a UUID: a repeated request with the same key gets the original response. With a different request the same key is rejected (`idempotency_key_reused`). */
        'idempotency-key'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /** @description The presentation: JWT or SD-JWT, or JSON with one or a Data Integrity proof as its proof */
          presentation:
            | string
            | {
                [key: string]: unknown
              }
          /** @description Must be in `aud`, or in the `domain` of the proof. Without it and `audience`, a presentation for a verifier verifies only if that is a DID of the account */
          verifierDid?: string
          /** @description Must be in `aud` or `domain` */
          audience?: string
          /** @description Must be the nonce of the presentation, or the `challenge` of its proof */
          nonce?: string
          /** @description Every credential with a subject must be about the holder */
          requireHolderIsSubject?: boolean
          /**
           * @description `default`: every status entry must be valid; `required`: and there must be one for revocation; `skip`: none is checked
           * @enum {string}
           */
          statusPolicy?: 'default' | 'required' | 'skip'
          /** @description Pay to read encrypted status lists. Default false: a status in an unpaid encrypted list does not verify */
          makeFeePayment?: boolean
          /**
           * @description Maximum that this call may pay for all encrypted lists together, in CHEQ; default: the limit of the installation
           * @example 5
           */
          maxFee?: number
          /**
           * @deprecated
           * @description Accepted and ignored. Policies are ignored: everything is verified.
           */
          policies?: unknown
        }
        'application/x-www-form-urlencoded': {
          /** @description The presentation: JWT or SD-JWT, or JSON with one or a Data Integrity proof as its proof */
          presentation:
            | string
            | {
                [key: string]: unknown
              }
          /** @description Must be in `aud`, or in the `domain` of the proof. Without it and `audience`, a presentation for a verifier verifies only if that is a DID of the account */
          verifierDid?: string
          /** @description Must be in `aud` or `domain` */
          audience?: string
          /** @description Must be the nonce of the presentation, or the `challenge` of its proof */
          nonce?: string
          /** @description Every credential with a subject must be about the holder */
          requireHolderIsSubject?: boolean
          /**
           * @description `default`: every status entry must be valid; `required`: and there must be one for revocation; `skip`: none is checked
           * @enum {string}
           */
          statusPolicy?: 'default' | 'required' | 'skip'
          /** @description Pay to read encrypted status lists. Default false: a status in an unpaid encrypted list does not verify */
          makeFeePayment?: boolean
          /**
           * @description Maximum that this call may pay for all encrypted lists together, in CHEQ; default: the limit of the installation
           * @example 5
           */
          maxFee?: number
          /**
           * @deprecated
           * @description Accepted and ignored. Policies are ignored: everything is verified.
           */
          policies?: unknown
        }
      }
    }
    responses: {
      /** @description Done */
      200: {
        headers: {
          /** @description `true` if this is the response of an earlier request; absent otherwise */
          'idempotency-replayed'?: boolean
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "verified": true,
           *       "holder": "did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK",
           *       "signer": "did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK#z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK",
           *       "checks": [
           *         {
           *           "check": "signature",
           *           "ok": true
           *         }
           *       ],
           *       "credentials": [
           *         {
           *           "verified": true,
           *           "issuer": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "subject": "did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK",
           *           "signer": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0#key-1",
           *           "checks": [
           *             {
           *               "check": "signature",
           *               "ok": true
           *             },
           *             {
           *               "check": "validity",
           *               "ok": true
           *             },
           *             {
           *               "check": "status",
           *               "ok": true
           *             }
           *           ],
           *           "statuses": [
           *             {
           *               "type": "BitstringStatusListEntry",
           *               "purpose": "revocation",
           *               "list": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0?resourceName=employees&resourceType=BitstringStatusListCredential",
           *               "index": 94567,
           *               "status": 0,
           *               "valid": true,
           *               "revoked": false
           *             }
           *           ]
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['PresentationVerification']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthenticated']
      403: components['responses']['Forbidden']
      408: components['responses']['TooSlow']
      413: components['responses']['TooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalError']
      503: components['responses']['Unavailable']
    }
  }
  'account-usage': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "dids": {
           *         "used": 12,
           *         "limit": 1000000
           *       },
           *       "keys": {
           *         "used": 12,
           *         "limit": 2000000
           *       },
           *       "statusLists": {
           *         "used": 3,
           *         "limit": 100000
           *       },
           *       "resources": {
           *         "used": 5,
           *         "limit": 1000000
           *       },
           *       "bytes": {
           *         "used": 83120,
           *         "limit": 10000000000
           *       },
           *       "apiKeys": {
           *         "used": 2,
           *         "limit": 100
           *       },
           *       "webhooks": {
           *         "used": 0,
           *         "limit": 20
           *       },
           *       "networks": {
           *         "testnet": {
           *           "feesToday": {
           *             "used": 2.5,
           *             "limit": 100
           *           },
           *           "spendToday": {
           *             "used": 150,
           *             "limit": 1000
           *           }
           *         }
           *       }
           *     }
           */
          'application/json': components['schemas']['AccountUsage']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthenticated']
      403: components['responses']['Forbidden']
      408: components['responses']['TooSlow']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalError']
      503: components['responses']['Unavailable']
    }
  }
  'account-audit': {
    parameters: {
      query?: {
        /** @description Only from this time on */
        since?: string
        /** @description Only before this time */
        until?: string
        /** @description Only this event */
        event?: string
        /** @description Only with this outcome */
        outcome?: 'done' | 'refused'
        /** @description Only by this API key */
        apiKeyId?: string
        /** @description Only by holders of tokens with this subject */
        tokenSubject?: string
        /** @description Only about this subject */
        subject?: string
        after?: string
        /** @description Entries on a page, at most */
        limit?: number
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "entries": [
           *         {
           *           "id": "4711",
           *           "time": "2026-06-01T08:30:00.000Z",
           *           "event": "api-key-revoked",
           *           "outcome": "done",
           *           "apiKeyId": "b5a2f0a1-52b1-4d3c-8a53-2d7d1f6f2b11",
           *           "address": "192.0.2.7",
           *           "requestId": "7b0f6a52-4c44-4a57-8f0a-5f5ef6d5a3c2",
           *           "subject": "0a4a0ac5-5a3a-4a0c-9a65-5a1d3b0c7f3e",
           *           "occurrences": 1
           *         }
           *       ],
           *       "next": "WyI0NzExIl0"
           *     }
           */
          'application/json': components['schemas']['AccountAudit']
          /**
           * @example time,event,outcome,occurrences,apiKeyId,issuer,tokenSubject,address,requestId,subject,detail,id
           *     2026-06-01T08:30:00.000Z,api-key-revoked,done,1,b5a2f0a1,,,192.0.2.7,,0a4a0ac5,,4711
           */
          'text/csv': string
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthenticated']
      403: components['responses']['Forbidden']
      408: components['responses']['TooSlow']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalError']
      503: components['responses']['Unavailable']
    }
  }
  'api-key-list': {
    parameters: {
      query?: {
        /** @description From 1 on, up to 10000 API keys; beyond that use `after` */
        page?: number
        /** @description `next` of the previous page, instead of `page` */
        after?: string
        /** @description API keys on a page, at most */
        limit?: number
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "total": 1,
           *       "apiKeys": [
           *         {
           *           "id": "b5a2f0a1-52b1-4d3c-8a53-2d7d1f6f2b11",
           *           "account": "default",
           *           "name": "issuer service",
           *           "shown": "vidimus_3Jx9…",
           *           "scopes": [
           *             "read",
           *             "credentials"
           *           ],
           *           "networks": [
           *             "testnet"
           *           ],
           *           "createdAt": "2026-05-01T12:00:00.000Z",
           *           "expiresAt": "2027-05-01T12:00:00.000Z",
           *           "current": true
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['ApiKeyList']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthenticated']
      403: components['responses']['Forbidden']
      408: components['responses']['TooSlow']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalError']
      503: components['responses']['Unavailable']
    }
  }
  'api-key-create': {
    parameters: {
      query?: never
      header?: {
        /** @description Chosen by the client, for example a UUID: a repeated request with the same key gets the original response. With a different request the same key is rejected (`idempotency_key_reused`). */
        'idempotency-key'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody?: {
      content: {
        'application/json': {
          /** @description What the key is for */
          name?: string
          /** @description When the key stops working, in the future */
          expiresAt?: string
          /** @description Operations or groups of operations that the key may use; default: all */
          scopes?: string[]
          /** @description Networks that the key may write to; default: all */
          networks?: ('testnet' | 'mainnet')[]
        }
        'application/x-www-form-urlencoded': {
          /** @description What the key is for */
          name?: string
          /** @description When the key stops working, in the future */
          expiresAt?: string
          /** @description Operations or groups of operations that the key may use; default: all */
          scopes?: string[]
          /** @description Networks that the key may write to; default: all */
          networks?: ('testnet' | 'mainnet')[]
        }
      }
    }
    responses: {
      /** @description Done */
      200: {
        headers: {
          /** @description `true` if this is the response of an earlier request; absent otherwise */
          'idempotency-replayed'?: boolean
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "id": "b5a2f0a1-52b1-4d3c-8a53-2d7d1f6f2b11",
           *       "account": "default",
           *       "name": "issuer service",
           *       "shown": "vidimus_3Jx9…",
           *       "scopes": [
           *         "read",
           *         "credentials"
           *       ],
           *       "networks": [
           *         "testnet"
           *       ],
           *       "createdAt": "2026-05-01T12:00:00.000Z",
           *       "expiresAt": "2027-05-01T12:00:00.000Z",
           *       "apiKey": "vidimus_3Jx9CvT2xkzF7mBq0LsYwNdR5oHgUiPe8aKtJb4rZnVf1MQcX"
           *     }
           */
          'application/json': components['schemas']['CreatedApiKey']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthenticated']
      403: components['responses']['Forbidden']
      408: components['responses']['TooSlow']
      413: components['responses']['TooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalError']
      503: components['responses']['Unavailable']
    }
  }
  'api-key-revoke': {
    parameters: {
      query?: never
      header?: {
        /** @description Chosen by the client, for example a UUID: a repeated request with the same key gets the original response. With a different request the same key is rejected (`idempotency_key_reused`). */
        'idempotency-key'?: string
      }
      path: {
        /** @description Id of the API key */
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          /** @description `true` if this is the response of an earlier request; absent otherwise */
          'idempotency-replayed'?: boolean
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "id": "b5a2f0a1-52b1-4d3c-8a53-2d7d1f6f2b11",
           *       "account": "default",
           *       "name": "issuer service",
           *       "shown": "vidimus_3Jx9…",
           *       "scopes": [
           *         "read",
           *         "credentials"
           *       ],
           *       "networks": [
           *         "testnet"
           *       ],
           *       "createdAt": "2026-05-01T12:00:00.000Z",
           *       "expiresAt": "2027-05-01T12:00:00.000Z",
           *       "revokedAt": "2026-06-01T08:30:00.000Z"
           *     }
           */
          'application/json': components['schemas']['ApiKey']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthenticated']
      403: components['responses']['Forbidden']
      404: components['responses']['NotFound']
      408: components['responses']['TooSlow']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalError']
      503: components['responses']['Unavailable']
    }
  }
  'api-key-rotate': {
    parameters: {
      query?: never
      header?: {
        /** @description Chosen by the client, for example a UUID: a repeated request with the same key gets the original response. With a different request the same key is rejected (`idempotency_key_reused`). */
        'idempotency-key'?: string
      }
      path: {
        /** @description Id of the API key */
        id: string
      }
      cookie?: never
    }
    requestBody?: {
      content: {
        'application/json': {
          /**
           * @description How long the old key keeps working; 0: not at all
           * @default 86400
           */
          overlapSeconds?: number
        }
        'application/x-www-form-urlencoded': {
          /**
           * @description How long the old key keeps working; 0: not at all
           * @default 86400
           */
          overlapSeconds?: number
        }
      }
    }
    responses: {
      /** @description Done */
      200: {
        headers: {
          /** @description `true` if this is the response of an earlier request; absent otherwise */
          'idempotency-replayed'?: boolean
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "created": {
           *         "id": "0a4a0ac5-5a3a-4a0c-9a65-5a1d3b0c7f3e",
           *         "account": "default",
           *         "name": "issuer service",
           *         "shown": "vidimus_3Jx9…",
           *         "scopes": [
           *           "read",
           *           "credentials"
           *         ],
           *         "networks": [
           *           "testnet"
           *         ],
           *         "createdAt": "2026-05-01T12:00:00.000Z",
           *         "expiresAt": "2027-05-01T12:00:00.000Z",
           *         "apiKey": "vidimus_3Jx9CvT2xkzF7mBq0LsYwNdR5oHgUiPe8aKtJb4rZnVf1MQcX"
           *       },
           *       "rotated": {
           *         "id": "b5a2f0a1-52b1-4d3c-8a53-2d7d1f6f2b11",
           *         "account": "default",
           *         "name": "issuer service",
           *         "shown": "vidimus_3Jx9…",
           *         "scopes": [
           *           "read",
           *           "credentials"
           *         ],
           *         "networks": [
           *           "testnet"
           *         ],
           *         "createdAt": "2026-05-01T12:00:00.000Z",
           *         "expiresAt": "2027-05-01T12:00:00.000Z",
           *         "rotatedTo": "0a4a0ac5-5a3a-4a0c-9a65-5a1d3b0c7f3e"
           *       }
           *     }
           */
          'application/json': components['schemas']['ApiKeyRotation']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthenticated']
      403: components['responses']['Forbidden']
      404: components['responses']['NotFound']
      408: components['responses']['TooSlow']
      413: components['responses']['TooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalError']
      503: components['responses']['Unavailable']
    }
  }
  'event-list': {
    parameters: {
      query?: {
        after?: string
        /** @description Events at most */
        limit?: number
        type?: string[]
      }
      header?: {
        /** @description For streams: the id of the last event received; later ones follow. Takes precedence over `after` */
        'last-event-id'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "events": [
           *         {
           *           "id": "0000000000000042",
           *           "type": "list.updated",
           *           "time": "2026-05-01T12:00:00.000Z",
           *           "subject": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0?resourceName=employees&resourceType=BitstringStatusListCredential",
           *           "data": {
           *             "did": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *             "listType": "BitstringStatusList",
           *             "statusListName": "employees",
           *             "versionId": "5945233a-a4b5-422b-b893-eaed5cedd2dc",
           *             "entriesChanged": 3
           *           }
           *         }
           *       ],
           *       "more": false
           *     }
           */
          'application/json': components['schemas']['AccountEventList']
          /**
           * @example id: 0000000000000042
           *     event: list.updated
           *     data: {"id":"0000000000000042","type":"list.updated","time":"2026-05-01T12:00:00.000Z","subject":"did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0?resourceName=employees&resourceType=BitstringStatusListCredential","data":{"did":"did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0","listType":"BitstringStatusList","statusListName":"employees","versionId":"5945233a-a4b5-422b-b893-eaed5cedd2dc","entriesChanged":3}}
           */
          'text/event-stream': string
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthenticated']
      403: components['responses']['Forbidden']
      408: components['responses']['TooSlow']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalError']
      503: components['responses']['Unavailable']
    }
  }
  'webhook-list': {
    parameters: {
      query?: {
        /** @description From 1 on, up to 10000 webhooks; beyond that use `after` */
        page?: number
        /** @description `next` of the previous page, instead of `page` */
        after?: string
        /** @description Webhooks on a page, at most */
        limit?: number
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "total": 1,
           *       "webhooks": [
           *         {
           *           "id": "0c7e9f6a-43bb-4a0f-9a4c-0f5a5be3a3d1",
           *           "url": "https://receiver.example/vidimus",
           *           "types": [
           *             "list.updated",
           *             "did.deactivated"
           *           ],
           *           "createdAt": "2026-05-01T12:00:00.000Z",
           *           "apiKeyId": "b5a2f0a1-52b1-4d3c-8a53-2d7d1f6f2b11",
           *           "state": "active",
           *           "waiting": 0,
           *           "deadLetters": 0,
           *           "lastDeliveredAt": "2026-05-01T12:00:01.000Z"
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['WebhookList']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthenticated']
      403: components['responses']['Forbidden']
      408: components['responses']['TooSlow']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalError']
      503: components['responses']['Unavailable']
    }
  }
  'webhook-create': {
    parameters: {
      query?: never
      header?: {
        /** @description Chosen by the client, for example a UUID: a repeated request with the same key gets the original response. With a different request the same key is rejected (`idempotency_key_reused`). */
        'idempotency-key'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /** @description Address of the receiver; https */
          url: string
          /** @description Types of events; default: all */
          types?: string[]
        }
        'application/x-www-form-urlencoded': {
          /** @description Address of the receiver; https */
          url: string
          /** @description Types of events; default: all */
          types?: string[]
        }
      }
    }
    responses: {
      /** @description Done */
      200: {
        headers: {
          /** @description `true` if this is the response of an earlier request; absent otherwise */
          'idempotency-replayed'?: boolean
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "id": "0c7e9f6a-43bb-4a0f-9a4c-0f5a5be3a3d1",
           *       "url": "https://receiver.example/vidimus",
           *       "types": [
           *         "list.updated",
           *         "did.deactivated"
           *       ],
           *       "createdAt": "2026-05-01T12:00:00.000Z",
           *       "apiKeyId": "b5a2f0a1-52b1-4d3c-8a53-2d7d1f6f2b11",
           *       "state": "active",
           *       "waiting": 0,
           *       "deadLetters": 0,
           *       "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw6hMzYqTzlHM="
           *     }
           */
          'application/json': components['schemas']['CreatedWebhook']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthenticated']
      403: components['responses']['Forbidden']
      408: components['responses']['TooSlow']
      413: components['responses']['TooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalError']
      503: components['responses']['Unavailable']
    }
  }
  'webhook-revoke': {
    parameters: {
      query?: never
      header?: {
        /** @description Chosen by the client, for example a UUID: a repeated request with the same key gets the original response. With a different request the same key is rejected (`idempotency_key_reused`). */
        'idempotency-key'?: string
      }
      path: {
        /** @description Id of the webhook */
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          /** @description `true` if this is the response of an earlier request; absent otherwise */
          'idempotency-replayed'?: boolean
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "id": "0c7e9f6a-43bb-4a0f-9a4c-0f5a5be3a3d1",
           *       "url": "https://receiver.example/vidimus",
           *       "types": [
           *         "list.updated",
           *         "did.deactivated"
           *       ],
           *       "createdAt": "2026-05-01T12:00:00.000Z",
           *       "apiKeyId": "b5a2f0a1-52b1-4d3c-8a53-2d7d1f6f2b11",
           *       "waiting": 0,
           *       "deadLetters": 0,
           *       "revokedAt": "2026-06-01T08:30:00.000Z",
           *       "revokedBy": "account"
           *     }
           */
          'application/json': components['schemas']['Webhook']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthenticated']
      403: components['responses']['Forbidden']
      404: components['responses']['NotFound']
      408: components['responses']['TooSlow']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalError']
      503: components['responses']['Unavailable']
    }
  }
  'webhook-resume': {
    parameters: {
      query?: never
      header?: {
        /** @description Chosen by the client, for example a UUID: a repeated request with the same key gets the original response. With a different request the same key is rejected (`idempotency_key_reused`). */
        'idempotency-key'?: string
      }
      path: {
        /** @description Id of the webhook */
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          /** @description `true` if this is the response of an earlier request; absent otherwise */
          'idempotency-replayed'?: boolean
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "id": "0c7e9f6a-43bb-4a0f-9a4c-0f5a5be3a3d1",
           *       "url": "https://receiver.example/vidimus",
           *       "types": [
           *         "list.updated",
           *         "did.deactivated"
           *       ],
           *       "createdAt": "2026-05-01T12:00:00.000Z",
           *       "apiKeyId": "b5a2f0a1-52b1-4d3c-8a53-2d7d1f6f2b11",
           *       "state": "active",
           *       "waiting": 0,
           *       "deadLetters": 0
           *     }
           */
          'application/json': components['schemas']['Webhook']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthenticated']
      403: components['responses']['Forbidden']
      404: components['responses']['NotFound']
      408: components['responses']['TooSlow']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalError']
      503: components['responses']['Unavailable']
    }
  }
  'webhook-dead-letters': {
    parameters: {
      query?: {
        after?: string
        /** @description Dead letters at most */
        limit?: number
      }
      header?: never
      path: {
        /** @description Id of the webhook */
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "deadLetters": [
           *         {
           *           "event": {
           *             "id": "0000000000000042",
           *             "type": "list.updated",
           *             "time": "2026-05-01T12:00:00.000Z",
           *             "subject": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0?resourceName=employees&resourceType=BitstringStatusListCredential",
           *             "data": {
           *               "did": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *               "listType": "BitstringStatusList",
           *               "statusListName": "employees",
           *               "versionId": "5945233a-a4b5-422b-b893-eaed5cedd2dc",
           *               "entriesChanged": 3
           *             }
           *           },
           *           "attempts": 34,
           *           "failure": {
           *             "time": "2026-05-02T12:00:00.000Z",
           *             "status": 500,
           *             "reason": "its host responded with 500"
           *           }
           *         }
           *       ],
           *       "more": false
           *     }
           */
          'application/json': components['schemas']['DeadLetterList']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthenticated']
      403: components['responses']['Forbidden']
      404: components['responses']['NotFound']
      408: components['responses']['TooSlow']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalError']
      503: components['responses']['Unavailable']
    }
  }
  'webhook-replay': {
    parameters: {
      query?: never
      header?: {
        /** @description Chosen by the client, for example a UUID: a repeated request with the same key gets the original response. With a different request the same key is rejected (`idempotency_key_reused`). */
        'idempotency-key'?: string
      }
      path: {
        /** @description Id of the webhook */
        id: string
      }
      cookie?: never
    }
    requestBody?: {
      content: {
        'application/json': {
          /** @description Ids of events; default: all */
          events?: string[]
        }
        'application/x-www-form-urlencoded': {
          /** @description Ids of events; default: all */
          events?: string[]
        }
      }
    }
    responses: {
      /** @description Done */
      200: {
        headers: {
          /** @description `true` if this is the response of an earlier request; absent otherwise */
          'idempotency-replayed'?: boolean
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "replayed": 1
           *     }
           */
          'application/json': components['schemas']['WebhookReplay']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthenticated']
      403: components['responses']['Forbidden']
      404: components['responses']['NotFound']
      408: components['responses']['TooSlow']
      413: components['responses']['TooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalError']
      503: components['responses']['Unavailable']
    }
  }
  'operator-account-list': {
    parameters: {
      query?: {
        /** @description Exact name, or a prefix ending in `*` */
        name?: string
        /** @description From 1 on, up to 10000 accounts; beyond that use `after` */
        page?: number
        /** @description `next` of the previous page, instead of `page` */
        after?: string
        /** @description Accounts on a page, at most */
        limit?: number
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "total": 1,
           *       "accounts": [
           *         {
           *           "id": "5f0c1f7e-3a3d-4f0e-9a35-6a1b9d2c4e10",
           *           "name": "acme",
           *           "createdAt": "2026-05-01T12:00:00.000Z"
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['OperatedAccountList']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthenticated']
      403: components['responses']['Forbidden']
      408: components['responses']['TooSlow']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalError']
      503: components['responses']['Unavailable']
    }
  }
  'operator-account-create': {
    parameters: {
      query?: never
      header?: {
        /** @description Chosen by the client, for example a UUID: a repeated request with the same key gets the original response. With a different request the same key is rejected (`idempotency_key_reused`). */
        'idempotency-key'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /** @description Begins with a letter or digit; at most 63 letters, digits, spaces or any of . _ @ - */
          name: string
          /** @description Quotas in place of the defaults */
          quotas?: {
            /** @description In place of the default; null: the default */
            dids?: number | null
            /** @description In place of the default; null: the default */
            keys?: number | null
            /** @description In place of the default; null: the default */
            statusLists?: number | null
            /** @description In place of the default; null: the default */
            resources?: number | null
            /** @description In place of the default; null: the default */
            bytes?: number | null
            /** @description In place of the default; null: the default */
            apiKeys?: number | null
            /** @description In place of the default; null: the default */
            webhooks?: number | null
          }
          /** @description Also creates an API key of the account, with these limits; `{}`: none. It ends with what creates it at the latest. Default: no key */
          firstKey?: {
            /** @description What the key is for */
            name?: string
            /** @description When the key stops working, in the future */
            expiresAt?: string
            /** @description Operations or groups of operations that the key may use; default: all */
            scopes?: string[]
            /** @description Networks that the key may write to; default: all */
            networks?: ('testnet' | 'mainnet')[]
          }
        }
        'application/x-www-form-urlencoded': {
          /** @description Begins with a letter or digit; at most 63 letters, digits, spaces or any of . _ @ - */
          name: string
          /** @description Quotas in place of the defaults */
          quotas?: {
            /** @description In place of the default; null: the default */
            dids?: number | null
            /** @description In place of the default; null: the default */
            keys?: number | null
            /** @description In place of the default; null: the default */
            statusLists?: number | null
            /** @description In place of the default; null: the default */
            resources?: number | null
            /** @description In place of the default; null: the default */
            bytes?: number | null
            /** @description In place of the default; null: the default */
            apiKeys?: number | null
            /** @description In place of the default; null: the default */
            webhooks?: number | null
          }
          /** @description Also creates an API key of the account, with these limits; `{}`: none. It ends with what creates it at the latest. Default: no key */
          firstKey?: {
            /** @description What the key is for */
            name?: string
            /** @description When the key stops working, in the future */
            expiresAt?: string
            /** @description Operations or groups of operations that the key may use; default: all */
            scopes?: string[]
            /** @description Networks that the key may write to; default: all */
            networks?: ('testnet' | 'mainnet')[]
          }
        }
      }
    }
    responses: {
      /** @description Done */
      200: {
        headers: {
          /** @description `true` if this is the response of an earlier request; absent otherwise */
          'idempotency-replayed'?: boolean
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "account": {
           *         "id": "5f0c1f7e-3a3d-4f0e-9a35-6a1b9d2c4e10",
           *         "name": "acme",
           *         "createdAt": "2026-05-01T12:00:00.000Z"
           *       },
           *       "firstKey": {
           *         "id": "b5a2f0a1-52b1-4d3c-8a53-2d7d1f6f2b11",
           *         "account": "acme",
           *         "name": "issuer service",
           *         "shown": "vidimus_3Jx9…",
           *         "scopes": [
           *           "read",
           *           "credentials"
           *         ],
           *         "networks": [
           *           "testnet"
           *         ],
           *         "createdAt": "2026-05-01T12:00:00.000Z",
           *         "expiresAt": "2027-05-01T12:00:00.000Z",
           *         "apiKey": "vidimus_3Jx9CvT2xkzF7mBq0LsYwNdR5oHgUiPe8aKtJb4rZnVf1MQcX"
           *       }
           *     }
           */
          'application/json': components['schemas']['CreatedAccount']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthenticated']
      403: components['responses']['Forbidden']
      408: components['responses']['TooSlow']
      413: components['responses']['TooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalError']
      503: components['responses']['Unavailable']
    }
  }
  'operator-account-disable': {
    parameters: {
      query?: never
      header?: {
        /** @description Chosen by the client, for example a UUID: a repeated request with the same key gets the original response. With a different request the same key is rejected (`idempotency_key_reused`). */
        'idempotency-key'?: string
      }
      path: {
        /** @description Name of the account */
        name: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          /** @description `true` if this is the response of an earlier request; absent otherwise */
          'idempotency-replayed'?: boolean
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "id": "5f0c1f7e-3a3d-4f0e-9a35-6a1b9d2c4e10",
           *       "name": "acme",
           *       "createdAt": "2026-05-01T12:00:00.000Z",
           *       "disabledAt": "2026-06-01T08:30:00.000Z"
           *     }
           */
          'application/json': components['schemas']['OperatedAccount']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthenticated']
      403: components['responses']['Forbidden']
      404: components['responses']['NotFound']
      408: components['responses']['TooSlow']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalError']
      503: components['responses']['Unavailable']
    }
  }
  'operator-account-enable': {
    parameters: {
      query?: never
      header?: {
        /** @description Chosen by the client, for example a UUID: a repeated request with the same key gets the original response. With a different request the same key is rejected (`idempotency_key_reused`). */
        'idempotency-key'?: string
      }
      path: {
        /** @description Name of the account */
        name: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          /** @description `true` if this is the response of an earlier request; absent otherwise */
          'idempotency-replayed'?: boolean
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "id": "5f0c1f7e-3a3d-4f0e-9a35-6a1b9d2c4e10",
           *       "name": "acme",
           *       "createdAt": "2026-05-01T12:00:00.000Z"
           *     }
           */
          'application/json': components['schemas']['OperatedAccount']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthenticated']
      403: components['responses']['Forbidden']
      404: components['responses']['NotFound']
      408: components['responses']['TooSlow']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalError']
      503: components['responses']['Unavailable']
    }
  }
  'operator-account-delete': {
    parameters: {
      query?: {
        /** @description Only report what would be erased */
        dryRun?: boolean
      }
      header?: {
        /** @description Chosen by the client, for example a UUID: a repeated request with the same key gets the original response. With a different request the same key is rejected (`idempotency_key_reused`). */
        'idempotency-key'?: string
      }
      path: {
        /** @description Name of the account */
        name: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          /** @description `true` if this is the response of an earlier request; absent otherwise */
          'idempotency-replayed'?: boolean
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "account": {
           *         "id": "5f0c1f7e-3a3d-4f0e-9a35-6a1b9d2c4e10",
           *         "name": "acme",
           *         "createdAt": "2026-05-01T12:00:00.000Z"
           *       },
           *       "deleted": false,
           *       "contents": [
           *         {
           *           "name": "API keys",
           *           "rows": 2,
           *           "fate": "erased"
           *         }
           *       ],
           *       "lists": []
           *     }
           */
          'application/json': components['schemas']['AccountDeletion']
        }
      }
      /** @description Under way */
      202: {
        headers: {
          /** @description `true` if this is the response of an earlier request; absent otherwise */
          'idempotency-replayed'?: boolean
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['AccountDeletion']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthenticated']
      403: components['responses']['Forbidden']
      404: components['responses']['NotFound']
      408: components['responses']['TooSlow']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalError']
      503: components['responses']['Unavailable']
    }
  }
  'operator-session-list': {
    parameters: {
      query?: {
        account?: string
        /** @description From 1 on, up to 10000 sessions; beyond that use `after` */
        page?: number
        /** @description `next` of the previous page, instead of `page` */
        after?: string
        /** @description Sessions on a page, at most */
        limit?: number
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "sessions": [
           *         {
           *           "id": "3d1c0b7e-8f57-4b5e-9a4c-2f6f0c1d7e22",
           *           "issuer": "https://login.example",
           *           "subject": "ann",
           *           "account": "acme",
           *           "scopes": [
           *             "read"
           *           ],
           *           "createdAt": "2026-05-01T12:00:00.000Z",
           *           "usedAt": "2026-05-01T12:10:00.000Z",
           *           "endsAt": "2026-05-02T00:00:00.000Z"
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['SessionList']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthenticated']
      403: components['responses']['Forbidden']
      408: components['responses']['TooSlow']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalError']
      503: components['responses']['Unavailable']
    }
  }
  'operator-session-end': {
    parameters: {
      query?: never
      header?: {
        /** @description Chosen by the client, for example a UUID: a repeated request with the same key gets the original response. With a different request the same key is rejected (`idempotency_key_reused`). */
        'idempotency-key'?: string
      }
      path: {
        /** @description Id of the session, as it is listed */
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          /** @description `true` if this is the response of an earlier request; absent otherwise */
          'idempotency-replayed'?: boolean
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "id": "3d1c0b7e-8f57-4b5e-9a4c-2f6f0c1d7e22",
           *       "ended": true
           *     }
           */
          'application/json': components['schemas']['EndedSession']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthenticated']
      403: components['responses']['Forbidden']
      404: components['responses']['NotFound']
      408: components['responses']['TooSlow']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalError']
      503: components['responses']['Unavailable']
    }
  }
  'operator-health': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "level": "ok",
           *       "examinedAt": "2026-06-01T08:30:00.000Z",
           *       "findings": [
           *         {
           *           "name": "migrations",
           *           "level": "ok",
           *           "message": "all 90 applied"
           *         }
           *       ],
           *       "database": {
           *         "dialect": "sqlite",
           *         "readOnly": false,
           *         "migrations": 90,
           *         "pendingMigrations": 0,
           *         "waitingWrites": 0
           *       },
           *       "networks": [
           *         {
           *           "network": "testnet",
           *           "outbox": {
           *             "queued": 0,
           *             "sent": 1
           *           },
           *           "outboxOldestSeconds": 3.2
           *         }
           *       ],
           *       "lists": {
           *         "beatLagSeconds": 0,
           *         "waitingChanges": 0,
           *         "oldestWaitingSeconds": 0,
           *         "openJobs": 0
           *       },
           *       "versions": {
           *         "service": "0.1.0",
           *         "node": "22.23.3",
           *         "packages": [
           *           {
           *             "name": "@vidimus/status-list",
           *             "version": "0.1.0"
           *           }
           *         ]
           *       }
           *     }
           */
          'application/json': components['schemas']['ServiceHealth']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthenticated']
      403: components['responses']['Forbidden']
      408: components['responses']['TooSlow']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalError']
      503: components['responses']['Unavailable']
    }
  }
  'work-list': {
    parameters: {
      query?: {
        /** @description Only of this kind */
        kind?:
          | 'account-deletion'
          | 'delivery'
          | 'did-creation'
          | 'event'
          | 'job'
          | 'key-erasure'
          | 'ledger-change'
          | 'publication'
          | 'renewal'
          | 'rotation'
          | 'series'
          | 'slot'
        /** @description Only in this state */
        state?: 'due' | 'running' | 'waiting' | 'paused' | 'failed'
        /** @description `next` of the previous page, instead of `page` */
        after?: string
        /** @description Items on a page, at most */
        limit?: number
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "items": [
           *         {
           *           "id": "WyJwdWJsaWNhdGlvbiIsIjM2IiwiW1wiZGlkXCIsXCJkaWQ6d2ViOmV4YW1wbGUuY29tXCIsXCJcIixcIlwiXSJd",
           *           "kind": "publication",
           *           "subject": "did:web:example.com",
           *           "state": "failed",
           *           "since": "2026-05-01T12:00:00.000Z",
           *           "dueAt": "2026-05-01T12:04:10.000Z",
           *           "attempts": 6,
           *           "failure": "the location of the publication cannot be used",
           *           "can": [
           *             "retry",
           *             "pause"
           *           ]
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['WorkList']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthenticated']
      403: components['responses']['Forbidden']
      408: components['responses']['TooSlow']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalError']
      503: components['responses']['Unavailable']
    }
  }
  'work-retry': {
    parameters: {
      query?: never
      header?: {
        /** @description Chosen by the client, for example a UUID: a repeated request with the same key gets the original response. With a different request the same key is rejected (`idempotency_key_reused`). */
        'idempotency-key'?: string
      }
      path: {
        /** @description Id of the item, as it is listed */
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          /** @description `true` if this is the response of an earlier request; absent otherwise */
          'idempotency-replayed'?: boolean
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "id": "WyJwdWJsaWNhdGlvbiIsIjM2IiwiW1wiZGlkXCIsXCJkaWQ6d2ViOmV4YW1wbGUuY29tXCIsXCJcIixcIlwiXSJd",
           *       "item": {
           *         "id": "WyJwdWJsaWNhdGlvbiIsIjM2IiwiW1wiZGlkXCIsXCJkaWQ6d2ViOmV4YW1wbGUuY29tXCIsXCJcIixcIlwiXSJd",
           *         "kind": "publication",
           *         "subject": "did:web:example.com",
           *         "state": "due",
           *         "since": "2026-05-01T12:00:00.000Z",
           *         "dueAt": "2026-05-01T12:04:10.000Z",
           *         "attempts": 6,
           *         "failure": "the location of the publication cannot be used",
           *         "can": [
           *           "pause"
           *         ]
           *       }
           *     }
           */
          'application/json': components['schemas']['ChangedWork']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthenticated']
      403: components['responses']['Forbidden']
      404: components['responses']['NotFound']
      408: components['responses']['TooSlow']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalError']
      503: components['responses']['Unavailable']
    }
  }
  'work-pause': {
    parameters: {
      query?: never
      header?: {
        /** @description Chosen by the client, for example a UUID: a repeated request with the same key gets the original response. With a different request the same key is rejected (`idempotency_key_reused`). */
        'idempotency-key'?: string
      }
      path: {
        /** @description Id of the item, as it is listed */
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          /** @description `true` if this is the response of an earlier request; absent otherwise */
          'idempotency-replayed'?: boolean
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "id": "WyJwdWJsaWNhdGlvbiIsIjM2IiwiW1wiZGlkXCIsXCJkaWQ6d2ViOmV4YW1wbGUuY29tXCIsXCJcIixcIlwiXSJd",
           *       "item": {
           *         "id": "WyJwdWJsaWNhdGlvbiIsIjM2IiwiW1wiZGlkXCIsXCJkaWQ6d2ViOmV4YW1wbGUuY29tXCIsXCJcIixcIlwiXSJd",
           *         "kind": "publication",
           *         "subject": "did:web:example.com",
           *         "state": "due",
           *         "since": "2026-05-01T12:00:00.000Z",
           *         "dueAt": "2026-05-01T12:04:10.000Z",
           *         "attempts": 6,
           *         "failure": "the location of the publication cannot be used",
           *         "can": [
           *           "pause"
           *         ]
           *       }
           *     }
           */
          'application/json': components['schemas']['ChangedWork']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthenticated']
      403: components['responses']['Forbidden']
      404: components['responses']['NotFound']
      408: components['responses']['TooSlow']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalError']
      503: components['responses']['Unavailable']
    }
  }
  'work-resume': {
    parameters: {
      query?: never
      header?: {
        /** @description Chosen by the client, for example a UUID: a repeated request with the same key gets the original response. With a different request the same key is rejected (`idempotency_key_reused`). */
        'idempotency-key'?: string
      }
      path: {
        /** @description Id of the item, as it is listed */
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          /** @description `true` if this is the response of an earlier request; absent otherwise */
          'idempotency-replayed'?: boolean
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "id": "WyJwdWJsaWNhdGlvbiIsIjM2IiwiW1wiZGlkXCIsXCJkaWQ6d2ViOmV4YW1wbGUuY29tXCIsXCJcIixcIlwiXSJd",
           *       "item": {
           *         "id": "WyJwdWJsaWNhdGlvbiIsIjM2IiwiW1wiZGlkXCIsXCJkaWQ6d2ViOmV4YW1wbGUuY29tXCIsXCJcIixcIlwiXSJd",
           *         "kind": "publication",
           *         "subject": "did:web:example.com",
           *         "state": "due",
           *         "since": "2026-05-01T12:00:00.000Z",
           *         "dueAt": "2026-05-01T12:04:10.000Z",
           *         "attempts": 6,
           *         "failure": "the location of the publication cannot be used",
           *         "can": [
           *           "pause"
           *         ]
           *       }
           *     }
           */
          'application/json': components['schemas']['ChangedWork']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthenticated']
      403: components['responses']['Forbidden']
      404: components['responses']['NotFound']
      408: components['responses']['TooSlow']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalError']
      503: components['responses']['Unavailable']
    }
  }
  'work-cancel': {
    parameters: {
      query?: never
      header?: {
        /** @description Chosen by the client, for example a UUID: a repeated request with the same key gets the original response. With a different request the same key is rejected (`idempotency_key_reused`). */
        'idempotency-key'?: string
      }
      path: {
        /** @description Id of the item, as it is listed */
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          /** @description `true` if this is the response of an earlier request; absent otherwise */
          'idempotency-replayed'?: boolean
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "id": "WyJwdWJsaWNhdGlvbiIsIjM2IiwiW1wiZGlkXCIsXCJkaWQ6d2ViOmV4YW1wbGUuY29tXCIsXCJcIixcIlwiXSJd"
           *     }
           */
          'application/json': components['schemas']['ChangedWork']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthenticated']
      403: components['responses']['Forbidden']
      404: components['responses']['NotFound']
      408: components['responses']['TooSlow']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalError']
      503: components['responses']['Unavailable']
    }
  }
  'operator-work-list': {
    parameters: {
      query?: {
        /** @description Only of this kind */
        kind?:
          | 'account-deletion'
          | 'delivery'
          | 'did-creation'
          | 'event'
          | 'job'
          | 'key-erasure'
          | 'ledger-change'
          | 'publication'
          | 'renewal'
          | 'rotation'
          | 'series'
          | 'slot'
        /** @description Only in this state */
        state?: 'due' | 'running' | 'waiting' | 'paused' | 'failed'
        /** @description Only of the account of this name */
        account?: string
        /** @description `next` of the previous page, instead of `page` */
        after?: string
        /** @description Items on a page, at most */
        limit?: number
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "items": [
           *         {
           *           "id": "WyJwdWJsaWNhdGlvbiIsIjM2IiwiW1wiZGlkXCIsXCJkaWQ6d2ViOmV4YW1wbGUuY29tXCIsXCJcIixcIlwiXSJd",
           *           "kind": "publication",
           *           "subject": "did:web:example.com",
           *           "state": "failed",
           *           "since": "2026-05-01T12:00:00.000Z",
           *           "dueAt": "2026-05-01T12:04:10.000Z",
           *           "attempts": 6,
           *           "failure": "the location of the publication cannot be used",
           *           "can": [
           *             "retry",
           *             "pause"
           *           ],
           *           "account": "acme"
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['OperatedWorkList']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthenticated']
      403: components['responses']['Forbidden']
      404: components['responses']['NotFound']
      408: components['responses']['TooSlow']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalError']
      503: components['responses']['Unavailable']
    }
  }
  'operator-work-retry': {
    parameters: {
      query?: never
      header?: {
        /** @description Chosen by the client, for example a UUID: a repeated request with the same key gets the original response. With a different request the same key is rejected (`idempotency_key_reused`). */
        'idempotency-key'?: string
      }
      path: {
        /** @description Id of the item, as it is listed */
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          /** @description `true` if this is the response of an earlier request; absent otherwise */
          'idempotency-replayed'?: boolean
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "id": "WyJwdWJsaWNhdGlvbiIsIjM2IiwiW1wiZGlkXCIsXCJkaWQ6d2ViOmV4YW1wbGUuY29tXCIsXCJcIixcIlwiXSJd",
           *       "item": {
           *         "id": "WyJwdWJsaWNhdGlvbiIsIjM2IiwiW1wiZGlkXCIsXCJkaWQ6d2ViOmV4YW1wbGUuY29tXCIsXCJcIixcIlwiXSJd",
           *         "kind": "publication",
           *         "subject": "did:web:example.com",
           *         "state": "due",
           *         "since": "2026-05-01T12:00:00.000Z",
           *         "dueAt": "2026-05-01T12:04:10.000Z",
           *         "attempts": 6,
           *         "failure": "the location of the publication cannot be used",
           *         "can": [
           *           "pause"
           *         ],
           *         "account": "acme"
           *       }
           *     }
           */
          'application/json': components['schemas']['ChangedOperatedWork']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthenticated']
      403: components['responses']['Forbidden']
      404: components['responses']['NotFound']
      408: components['responses']['TooSlow']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalError']
      503: components['responses']['Unavailable']
    }
  }
  'operator-work-pause': {
    parameters: {
      query?: never
      header?: {
        /** @description Chosen by the client, for example a UUID: a repeated request with the same key gets the original response. With a different request the same key is rejected (`idempotency_key_reused`). */
        'idempotency-key'?: string
      }
      path: {
        /** @description Id of the item, as it is listed */
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          /** @description `true` if this is the response of an earlier request; absent otherwise */
          'idempotency-replayed'?: boolean
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "id": "WyJwdWJsaWNhdGlvbiIsIjM2IiwiW1wiZGlkXCIsXCJkaWQ6d2ViOmV4YW1wbGUuY29tXCIsXCJcIixcIlwiXSJd",
           *       "item": {
           *         "id": "WyJwdWJsaWNhdGlvbiIsIjM2IiwiW1wiZGlkXCIsXCJkaWQ6d2ViOmV4YW1wbGUuY29tXCIsXCJcIixcIlwiXSJd",
           *         "kind": "publication",
           *         "subject": "did:web:example.com",
           *         "state": "due",
           *         "since": "2026-05-01T12:00:00.000Z",
           *         "dueAt": "2026-05-01T12:04:10.000Z",
           *         "attempts": 6,
           *         "failure": "the location of the publication cannot be used",
           *         "can": [
           *           "pause"
           *         ],
           *         "account": "acme"
           *       }
           *     }
           */
          'application/json': components['schemas']['ChangedOperatedWork']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthenticated']
      403: components['responses']['Forbidden']
      404: components['responses']['NotFound']
      408: components['responses']['TooSlow']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalError']
      503: components['responses']['Unavailable']
    }
  }
  'operator-work-resume': {
    parameters: {
      query?: never
      header?: {
        /** @description Chosen by the client, for example a UUID: a repeated request with the same key gets the original response. With a different request the same key is rejected (`idempotency_key_reused`). */
        'idempotency-key'?: string
      }
      path: {
        /** @description Id of the item, as it is listed */
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          /** @description `true` if this is the response of an earlier request; absent otherwise */
          'idempotency-replayed'?: boolean
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "id": "WyJwdWJsaWNhdGlvbiIsIjM2IiwiW1wiZGlkXCIsXCJkaWQ6d2ViOmV4YW1wbGUuY29tXCIsXCJcIixcIlwiXSJd",
           *       "item": {
           *         "id": "WyJwdWJsaWNhdGlvbiIsIjM2IiwiW1wiZGlkXCIsXCJkaWQ6d2ViOmV4YW1wbGUuY29tXCIsXCJcIixcIlwiXSJd",
           *         "kind": "publication",
           *         "subject": "did:web:example.com",
           *         "state": "due",
           *         "since": "2026-05-01T12:00:00.000Z",
           *         "dueAt": "2026-05-01T12:04:10.000Z",
           *         "attempts": 6,
           *         "failure": "the location of the publication cannot be used",
           *         "can": [
           *           "pause"
           *         ],
           *         "account": "acme"
           *       }
           *     }
           */
          'application/json': components['schemas']['ChangedOperatedWork']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthenticated']
      403: components['responses']['Forbidden']
      404: components['responses']['NotFound']
      408: components['responses']['TooSlow']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalError']
      503: components['responses']['Unavailable']
    }
  }
  'operator-work-cancel': {
    parameters: {
      query?: never
      header?: {
        /** @description Chosen by the client, for example a UUID: a repeated request with the same key gets the original response. With a different request the same key is rejected (`idempotency_key_reused`). */
        'idempotency-key'?: string
      }
      path: {
        /** @description Id of the item, as it is listed */
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          /** @description `true` if this is the response of an earlier request; absent otherwise */
          'idempotency-replayed'?: boolean
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "id": "WyJwdWJsaWNhdGlvbiIsIjM2IiwiW1wiZGlkXCIsXCJkaWQ6d2ViOmV4YW1wbGUuY29tXCIsXCJcIixcIlwiXSJd"
           *     }
           */
          'application/json': components['schemas']['ChangedOperatedWork']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthenticated']
      403: components['responses']['Forbidden']
      404: components['responses']['NotFound']
      408: components['responses']['TooSlow']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalError']
      503: components['responses']['Unavailable']
    }
  }
  'registrar-create': {
    parameters: {
      query?: {
        method?: string
      }
      header?: {
        /** @description Chosen by the client, for example a UUID: a repeated request with the same key gets the original response. With a different request the same key is rejected (`idempotency_key_reused`). */
        'idempotency-key'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody?: {
      content: {
        'application/json': {
          /**
           * @description There are no jobs: every operation completes with its response
           * @constant
           */
          jobId?: null
          /**
           * @description Must be empty or omitted
           * @example {}
           */
          secret?: {
            [key: string]: unknown
          } | null
          did?: string | null
          /** @description The options of POST /did/create, and those of the secret mode */
          options?: {
            /**
             * @description Client-managed secret mode is not offered
             * @constant
             */
            clientSecretMode?: false
            /**
             * @description Keys are always kept
             * @constant
             */
            storeSecrets?: true
            /**
             * @description Private keys are never returned
             * @constant
             */
            returnSecrets?: false
            /**
             * @description Network of did:cheqd
             * @enum {string}
             */
            network?: 'testnet' | 'mainnet'
            /**
             * @description Format of the method-specific identifier of did:cheqd; default `uuid`
             * @enum {string}
             */
            identifierFormatType?: 'uuid' | 'base58btc'
            /**
             * @description Type of the verification method; default `Ed25519VerificationKey2020`
             * @enum {string}
             */
            verificationMethodType?:
              'Ed25519VerificationKey2020' | 'JsonWebKey2020' | 'Ed25519VerificationKey2018'
            /**
             * @description Type of the new key; for methods other than cheqd. Default `Ed25519`
             * @enum {string}
             */
            keyType?: 'Ed25519' | 'Secp256k1' | 'Secp256r1' | 'X25519'
            /** @description Public key (hex) of a key of the account; default: a new Ed25519 key */
            key?: string
          } | null
          didDocument?: {
            /** @description Contexts of the DID document */
            '@context'?: string[]
            /**
             * @description Must be valid for the network and unused; default: a new one
             * @example did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0
             */
            id?: string
            /** @description DIDs that may change the document */
            controllers?: string[]
            /** @description Alias of controllers */
            controller?: string[]
            /** @description Other identifiers of the subject */
            alsoKnownAs?: string[]
            /**
             * @description Services of the DID document
             * @example [
             *       {
             *         "idFragment": "service-1",
             *         "type": "LinkedDomains",
             *         "serviceEndpoint": [
             *           "https://example.com"
             *         ]
             *       }
             *     ]
             */
            service?: {
              /** @description Becomes `<did>#<idFragment>` */
              idFragment?: string
              /** @description `<did>#<fragment>`, instead of idFragment; at most 512 bytes of UTF-8 */
              id?: string
              /** @description A service type of the DID specification registries; at most 255 bytes of UTF-8 */
              type: string
              /** @description Service endpoints, at least one */
              serviceEndpoint: string[]
              /** @description Distinguishes several did-communication endpoints */
              priority?: number
              /** @description Default recipients of the endpoint */
              recipientKeys?: string[]
              /** @description Routing hops between sender and recipients */
              routingKeys?: string[]
              /** @description Media types that the endpoint accepts */
              accept?: string[]
            }[]
            /** @description Must be empty or omitted: the service adds that of its key */
            verificationMethod?: unknown[]
            /** @description Verification relationship "authentication"; may only refer to the verification method of the DID */
            authentication?: string[]
            /** @description Verification relationship "assertionMethod"; may only refer to the verification method of the DID */
            assertionMethod?: string[]
            /** @description Verification relationship "capabilityInvocation"; may only refer to the verification method of the DID */
            capabilityInvocation?: string[]
            /** @description Verification relationship "capabilityDelegation"; may only refer to the verification method of the DID */
            capabilityDelegation?: string[]
            /** @description Verification relationship "keyAgreement"; may only refer to the verification method of the DID */
            keyAgreement?: string[]
          } | null
        }
      }
    }
    responses: {
      /** @description Done */
      201: {
        headers: {
          /** @description `true` if this is the response of an earlier request; absent otherwise */
          'idempotency-replayed'?: boolean
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "jobId": null,
           *       "didState": {
           *         "state": "finished",
           *         "did": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *         "didDocument": {
           *           "@context": [
           *             "https://www.w3.org/ns/did/v1"
           *           ],
           *           "id": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "verificationMethod": []
           *         }
           *       },
           *       "didRegistrationMetadata": {
           *         "provider": "did:cheqd",
           *         "controllerKeyId": "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
           *         "keys": [
           *           {
           *             "kid": "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
           *             "type": "Ed25519",
           *             "publicKeyHex": "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
           *             "kms": "local"
           *           }
           *         ]
           *       },
           *       "didDocumentMetadata": {
           *         "created": "2026-01-31T09:30:00Z",
           *         "versionId": "6a7d1cd5-4a1f-4ad6-9e2c-5d0ee8c2c0ee"
           *       }
           *     }
           */
          'application/json': components['schemas']['RegistrarState']
        }
      }
      /** @description The input is invalid, or names something that the account does not have */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "error": "indices[2]: is outside the list (0 to 131071)",
           *       "code": "index_out_of_range",
           *       "requestId": "6f1c8f5e-3a52-4d0c-9f0c-2d7f7b7c9a11",
           *       "details": [
           *         {
           *           "path": "indices[2]",
           *           "message": "is outside the list (0 to 131071)"
           *         }
           *       ],
           *       "jobId": null,
           *       "didState": {
           *         "state": "failed",
           *         "error": "index_out_of_range",
           *         "reason": "indices[2]: is outside the list (0 to 131071)"
           *       },
           *       "didRegistrationMetadata": {},
           *       "didDocumentMetadata": {}
           *     }
           */
          'application/json': components['schemas']['RegistrarFailure']
        }
      }
      /** @description The access token is missing or invalid */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "error": "the access token is missing or invalid: x-api-key: must be an API key",
           *       "code": "unauthenticated",
           *       "requestId": "6f1c8f5e-3a52-4d0c-9f0c-2d7f7b7c9a11",
           *       "details": [
           *         {
           *           "path": "x-api-key",
           *           "message": "must be an API key",
           *           "reason": "malformed"
           *         }
           *       ],
           *       "jobId": null,
           *       "didState": {
           *         "state": "failed",
           *         "error": "unauthenticated",
           *         "reason": "the access token is missing or invalid: x-api-key: must be an API key"
           *       },
           *       "didRegistrationMetadata": {},
           *       "didDocumentMetadata": {}
           *     }
           */
          'application/json': components['schemas']['RegistrarFailure']
        }
      }
      /** @description The API key lacks the right to do this */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "error": "this API key lacks a required scope: dids or did-create",
           *       "code": "forbidden",
           *       "requestId": "6f1c8f5e-3a52-4d0c-9f0c-2d7f7b7c9a11",
           *       "jobId": null,
           *       "didState": {
           *         "state": "failed",
           *         "error": "forbidden",
           *         "reason": "this API key lacks a required scope: dids or did-create"
           *       },
           *       "didRegistrationMetadata": {},
           *       "didDocumentMetadata": {}
           *     }
           */
          'application/json': components['schemas']['RegistrarFailure']
        }
      }
      /** @description The request did not arrive in time; nothing is changed */
      408: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "error": "the body did not arrive within 30000 ms",
           *       "code": "request_timeout",
           *       "requestId": "6f1c8f5e-3a52-4d0c-9f0c-2d7f7b7c9a11",
           *       "jobId": null,
           *       "didState": {
           *         "state": "failed",
           *         "error": "request_timeout",
           *         "reason": "the body did not arrive within 30000 ms"
           *       },
           *       "didRegistrationMetadata": {},
           *       "didDocumentMetadata": {}
           *     }
           */
          'application/json': components['schemas']['RegistrarFailure']
        }
      }
      /** @description The body is too large */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "error": "the body is larger than the limit of 1048576 bytes",
           *       "code": "body_too_large",
           *       "requestId": "6f1c8f5e-3a52-4d0c-9f0c-2d7f7b7c9a11",
           *       "jobId": null,
           *       "didState": {
           *         "state": "failed",
           *         "error": "body_too_large",
           *         "reason": "the body is larger than the limit of 1048576 bytes"
           *       },
           *       "didRegistrationMetadata": {},
           *       "didDocumentMetadata": {}
           *     }
           */
          'application/json': components['schemas']['RegistrarFailure']
        }
      }
      /** @description The content type of the body is not supported */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "error": "content-type: must be application/json or application/x-www-form-urlencoded",
           *       "code": "unsupported_media_type",
           *       "requestId": "6f1c8f5e-3a52-4d0c-9f0c-2d7f7b7c9a11",
           *       "jobId": null,
           *       "didState": {
           *         "state": "failed",
           *         "error": "unsupported_media_type",
           *         "reason": "content-type: must be application/json or application/x-www-form-urlencoded"
           *       },
           *       "didRegistrationMetadata": {},
           *       "didDocumentMetadata": {}
           *     }
           */
          'application/json': components['schemas']['RegistrarFailure']
        }
      }
      /** @description Too many requests */
      429: {
        headers: {
          /** @description Seconds to wait before the next request */
          'retry-after'?: number
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "error": "too many requests; try again in 3 s",
           *       "code": "too_many_requests",
           *       "requestId": "6f1c8f5e-3a52-4d0c-9f0c-2d7f7b7c9a11",
           *       "jobId": null,
           *       "didState": {
           *         "state": "failed",
           *         "error": "too_many_requests",
           *         "reason": "too many requests; try again in 3 s"
           *       },
           *       "didRegistrationMetadata": {},
           *       "didDocumentMetadata": {}
           *     }
           */
          'application/json': components['schemas']['RegistrarFailure']
        }
      }
      /** @description Internal error */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "error": "internal error",
           *       "code": "internal_error",
           *       "requestId": "6f1c8f5e-3a52-4d0c-9f0c-2d7f7b7c9a11",
           *       "jobId": null,
           *       "didState": {
           *         "state": "failed",
           *         "error": "internal_error",
           *         "reason": "internal error"
           *       },
           *       "didRegistrationMetadata": {},
           *       "didDocumentMetadata": {}
           *     }
           */
          'application/json': components['schemas']['RegistrarFailure']
        }
      }
      /** @description The service is starting, or cannot reach what it needs */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "error": "the service is starting; try again in a moment",
           *       "code": "unavailable",
           *       "requestId": "6f1c8f5e-3a52-4d0c-9f0c-2d7f7b7c9a11",
           *       "jobId": null,
           *       "didState": {
           *         "state": "failed",
           *         "error": "unavailable",
           *         "reason": "the service is starting; try again in a moment"
           *       },
           *       "didRegistrationMetadata": {},
           *       "didDocumentMetadata": {}
           *     }
           */
          'application/json': components['schemas']['RegistrarFailure']
        }
      }
    }
  }
  'registrar-update': {
    parameters: {
      query?: {
        method?: string
      }
      header?: {
        /** @description Chosen by the client, for example a UUID: a repeated request with the same key gets the original response. With a different request the same key is rejected (`idempotency_key_reused`). */
        'idempotency-key'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /**
           * @description There are no jobs: every operation completes with its response
           * @constant
           */
          jobId?: null
          /**
           * @description Must be empty or omitted
           * @example {}
           */
          secret?: {
            [key: string]: unknown
          } | null
          /**
           * @description A DID of the account
           * @example did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0
           */
          did: string
          /** @description Those of the secret mode; a `network` must be that of the DID */
          options?: {
            /**
             * @description Client-managed secret mode is not offered
             * @constant
             */
            clientSecretMode?: false
            /**
             * @description Keys are always kept
             * @constant
             */
            storeSecrets?: true
            /**
             * @description Private keys are never returned
             * @constant
             */
            returnSecrets?: false
            /**
             * @description Network of did:cheqd
             * @enum {string}
             */
            network?: 'testnet' | 'mainnet'
          } | null
          /**
           * @description What to do with each `didDocument`, in this order; default `["setDidDocument"]`
           * @example [
           *       "setDidDocument"
           *     ]
           */
          didDocumentOperation?: ('setDidDocument' | 'addToDidDocument' | 'removeFromDidDocument')[] | null
          /** @description One for each operation */
          didDocument: {
            [key: string]: unknown
          }[]
        }
      }
    }
    responses: {
      /** @description Done */
      200: {
        headers: {
          /** @description `true` if this is the response of an earlier request; absent otherwise */
          'idempotency-replayed'?: boolean
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "jobId": null,
           *       "didState": {
           *         "state": "finished",
           *         "did": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *         "didDocument": {
           *           "@context": [
           *             "https://www.w3.org/ns/did/v1"
           *           ],
           *           "id": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "verificationMethod": []
           *         }
           *       },
           *       "didRegistrationMetadata": {
           *         "provider": "did:cheqd",
           *         "controllerKeyId": "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
           *         "keys": [
           *           {
           *             "kid": "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
           *             "type": "Ed25519",
           *             "publicKeyHex": "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
           *             "kms": "local"
           *           }
           *         ]
           *       },
           *       "didDocumentMetadata": {
           *         "created": "2026-01-31T09:30:00Z",
           *         "versionId": "6a7d1cd5-4a1f-4ad6-9e2c-5d0ee8c2c0ee"
           *       }
           *     }
           */
          'application/json': components['schemas']['RegistrarState']
        }
      }
      /** @description The input is invalid, or names something that the account does not have */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "error": "indices[2]: is outside the list (0 to 131071)",
           *       "code": "index_out_of_range",
           *       "requestId": "6f1c8f5e-3a52-4d0c-9f0c-2d7f7b7c9a11",
           *       "details": [
           *         {
           *           "path": "indices[2]",
           *           "message": "is outside the list (0 to 131071)"
           *         }
           *       ],
           *       "jobId": null,
           *       "didState": {
           *         "state": "failed",
           *         "error": "index_out_of_range",
           *         "reason": "indices[2]: is outside the list (0 to 131071)"
           *       },
           *       "didRegistrationMetadata": {},
           *       "didDocumentMetadata": {}
           *     }
           */
          'application/json': components['schemas']['RegistrarFailure']
        }
      }
      /** @description The access token is missing or invalid */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "error": "the access token is missing or invalid: x-api-key: must be an API key",
           *       "code": "unauthenticated",
           *       "requestId": "6f1c8f5e-3a52-4d0c-9f0c-2d7f7b7c9a11",
           *       "details": [
           *         {
           *           "path": "x-api-key",
           *           "message": "must be an API key",
           *           "reason": "malformed"
           *         }
           *       ],
           *       "jobId": null,
           *       "didState": {
           *         "state": "failed",
           *         "error": "unauthenticated",
           *         "reason": "the access token is missing or invalid: x-api-key: must be an API key"
           *       },
           *       "didRegistrationMetadata": {},
           *       "didDocumentMetadata": {}
           *     }
           */
          'application/json': components['schemas']['RegistrarFailure']
        }
      }
      /** @description The API key lacks the right to do this */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "error": "this API key lacks a required scope: dids or did-create",
           *       "code": "forbidden",
           *       "requestId": "6f1c8f5e-3a52-4d0c-9f0c-2d7f7b7c9a11",
           *       "jobId": null,
           *       "didState": {
           *         "state": "failed",
           *         "error": "forbidden",
           *         "reason": "this API key lacks a required scope: dids or did-create"
           *       },
           *       "didRegistrationMetadata": {},
           *       "didDocumentMetadata": {}
           *     }
           */
          'application/json': components['schemas']['RegistrarFailure']
        }
      }
      /** @description The request did not arrive in time; nothing is changed */
      408: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "error": "the body did not arrive within 30000 ms",
           *       "code": "request_timeout",
           *       "requestId": "6f1c8f5e-3a52-4d0c-9f0c-2d7f7b7c9a11",
           *       "jobId": null,
           *       "didState": {
           *         "state": "failed",
           *         "error": "request_timeout",
           *         "reason": "the body did not arrive within 30000 ms"
           *       },
           *       "didRegistrationMetadata": {},
           *       "didDocumentMetadata": {}
           *     }
           */
          'application/json': components['schemas']['RegistrarFailure']
        }
      }
      /** @description The body is too large */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "error": "the body is larger than the limit of 1048576 bytes",
           *       "code": "body_too_large",
           *       "requestId": "6f1c8f5e-3a52-4d0c-9f0c-2d7f7b7c9a11",
           *       "jobId": null,
           *       "didState": {
           *         "state": "failed",
           *         "error": "body_too_large",
           *         "reason": "the body is larger than the limit of 1048576 bytes"
           *       },
           *       "didRegistrationMetadata": {},
           *       "didDocumentMetadata": {}
           *     }
           */
          'application/json': components['schemas']['RegistrarFailure']
        }
      }
      /** @description The content type of the body is not supported */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "error": "content-type: must be application/json or application/x-www-form-urlencoded",
           *       "code": "unsupported_media_type",
           *       "requestId": "6f1c8f5e-3a52-4d0c-9f0c-2d7f7b7c9a11",
           *       "jobId": null,
           *       "didState": {
           *         "state": "failed",
           *         "error": "unsupported_media_type",
           *         "reason": "content-type: must be application/json or application/x-www-form-urlencoded"
           *       },
           *       "didRegistrationMetadata": {},
           *       "didDocumentMetadata": {}
           *     }
           */
          'application/json': components['schemas']['RegistrarFailure']
        }
      }
      /** @description Too many requests */
      429: {
        headers: {
          /** @description Seconds to wait before the next request */
          'retry-after'?: number
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "error": "too many requests; try again in 3 s",
           *       "code": "too_many_requests",
           *       "requestId": "6f1c8f5e-3a52-4d0c-9f0c-2d7f7b7c9a11",
           *       "jobId": null,
           *       "didState": {
           *         "state": "failed",
           *         "error": "too_many_requests",
           *         "reason": "too many requests; try again in 3 s"
           *       },
           *       "didRegistrationMetadata": {},
           *       "didDocumentMetadata": {}
           *     }
           */
          'application/json': components['schemas']['RegistrarFailure']
        }
      }
      /** @description Internal error */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "error": "internal error",
           *       "code": "internal_error",
           *       "requestId": "6f1c8f5e-3a52-4d0c-9f0c-2d7f7b7c9a11",
           *       "jobId": null,
           *       "didState": {
           *         "state": "failed",
           *         "error": "internal_error",
           *         "reason": "internal error"
           *       },
           *       "didRegistrationMetadata": {},
           *       "didDocumentMetadata": {}
           *     }
           */
          'application/json': components['schemas']['RegistrarFailure']
        }
      }
      /** @description The service is starting, or cannot reach what it needs */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "error": "the service is starting; try again in a moment",
           *       "code": "unavailable",
           *       "requestId": "6f1c8f5e-3a52-4d0c-9f0c-2d7f7b7c9a11",
           *       "jobId": null,
           *       "didState": {
           *         "state": "failed",
           *         "error": "unavailable",
           *         "reason": "the service is starting; try again in a moment"
           *       },
           *       "didRegistrationMetadata": {},
           *       "didDocumentMetadata": {}
           *     }
           */
          'application/json': components['schemas']['RegistrarFailure']
        }
      }
    }
  }
  'registrar-deactivate': {
    parameters: {
      query?: {
        method?: string
      }
      header?: {
        /** @description Chosen by the client, for example a UUID: a repeated request with the same key gets the original response. With a different request the same key is rejected (`idempotency_key_reused`). */
        'idempotency-key'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /**
           * @description There are no jobs: every operation completes with its response
           * @constant
           */
          jobId?: null
          /**
           * @description Must be empty or omitted
           * @example {}
           */
          secret?: {
            [key: string]: unknown
          } | null
          /**
           * @description A DID of the account
           * @example did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0
           */
          did: string
          /** @description Those of the secret mode; a `network` must be that of the DID */
          options?: {
            /**
             * @description Client-managed secret mode is not offered
             * @constant
             */
            clientSecretMode?: false
            /**
             * @description Keys are always kept
             * @constant
             */
            storeSecrets?: true
            /**
             * @description Private keys are never returned
             * @constant
             */
            returnSecrets?: false
            /**
             * @description Network of did:cheqd
             * @enum {string}
             */
            network?: 'testnet' | 'mainnet'
          } | null
        }
      }
    }
    responses: {
      /** @description Done */
      200: {
        headers: {
          /** @description `true` if this is the response of an earlier request; absent otherwise */
          'idempotency-replayed'?: boolean
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "jobId": null,
           *       "didState": {
           *         "state": "finished",
           *         "did": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *         "didDocument": {
           *           "@context": [
           *             "https://www.w3.org/ns/did/v1"
           *           ],
           *           "id": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "verificationMethod": []
           *         }
           *       },
           *       "didRegistrationMetadata": {
           *         "provider": "did:cheqd",
           *         "controllerKeyId": "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
           *         "keys": [
           *           {
           *             "kid": "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
           *             "type": "Ed25519",
           *             "publicKeyHex": "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
           *             "kms": "local"
           *           }
           *         ]
           *       },
           *       "didDocumentMetadata": {
           *         "created": "2026-01-31T09:30:00Z",
           *         "versionId": "6a7d1cd5-4a1f-4ad6-9e2c-5d0ee8c2c0ee",
           *         "deactivated": true
           *       }
           *     }
           */
          'application/json': components['schemas']['RegistrarState']
        }
      }
      /** @description The input is invalid, or names something that the account does not have */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "error": "indices[2]: is outside the list (0 to 131071)",
           *       "code": "index_out_of_range",
           *       "requestId": "6f1c8f5e-3a52-4d0c-9f0c-2d7f7b7c9a11",
           *       "details": [
           *         {
           *           "path": "indices[2]",
           *           "message": "is outside the list (0 to 131071)"
           *         }
           *       ],
           *       "jobId": null,
           *       "didState": {
           *         "state": "failed",
           *         "error": "index_out_of_range",
           *         "reason": "indices[2]: is outside the list (0 to 131071)"
           *       },
           *       "didRegistrationMetadata": {},
           *       "didDocumentMetadata": {}
           *     }
           */
          'application/json': components['schemas']['RegistrarFailure']
        }
      }
      /** @description The access token is missing or invalid */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "error": "the access token is missing or invalid: x-api-key: must be an API key",
           *       "code": "unauthenticated",
           *       "requestId": "6f1c8f5e-3a52-4d0c-9f0c-2d7f7b7c9a11",
           *       "details": [
           *         {
           *           "path": "x-api-key",
           *           "message": "must be an API key",
           *           "reason": "malformed"
           *         }
           *       ],
           *       "jobId": null,
           *       "didState": {
           *         "state": "failed",
           *         "error": "unauthenticated",
           *         "reason": "the access token is missing or invalid: x-api-key: must be an API key"
           *       },
           *       "didRegistrationMetadata": {},
           *       "didDocumentMetadata": {}
           *     }
           */
          'application/json': components['schemas']['RegistrarFailure']
        }
      }
      /** @description The API key lacks the right to do this */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "error": "this API key lacks a required scope: dids or did-create",
           *       "code": "forbidden",
           *       "requestId": "6f1c8f5e-3a52-4d0c-9f0c-2d7f7b7c9a11",
           *       "jobId": null,
           *       "didState": {
           *         "state": "failed",
           *         "error": "forbidden",
           *         "reason": "this API key lacks a required scope: dids or did-create"
           *       },
           *       "didRegistrationMetadata": {},
           *       "didDocumentMetadata": {}
           *     }
           */
          'application/json': components['schemas']['RegistrarFailure']
        }
      }
      /** @description The request did not arrive in time; nothing is changed */
      408: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "error": "the body did not arrive within 30000 ms",
           *       "code": "request_timeout",
           *       "requestId": "6f1c8f5e-3a52-4d0c-9f0c-2d7f7b7c9a11",
           *       "jobId": null,
           *       "didState": {
           *         "state": "failed",
           *         "error": "request_timeout",
           *         "reason": "the body did not arrive within 30000 ms"
           *       },
           *       "didRegistrationMetadata": {},
           *       "didDocumentMetadata": {}
           *     }
           */
          'application/json': components['schemas']['RegistrarFailure']
        }
      }
      /** @description The body is too large */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "error": "the body is larger than the limit of 1048576 bytes",
           *       "code": "body_too_large",
           *       "requestId": "6f1c8f5e-3a52-4d0c-9f0c-2d7f7b7c9a11",
           *       "jobId": null,
           *       "didState": {
           *         "state": "failed",
           *         "error": "body_too_large",
           *         "reason": "the body is larger than the limit of 1048576 bytes"
           *       },
           *       "didRegistrationMetadata": {},
           *       "didDocumentMetadata": {}
           *     }
           */
          'application/json': components['schemas']['RegistrarFailure']
        }
      }
      /** @description The content type of the body is not supported */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "error": "content-type: must be application/json or application/x-www-form-urlencoded",
           *       "code": "unsupported_media_type",
           *       "requestId": "6f1c8f5e-3a52-4d0c-9f0c-2d7f7b7c9a11",
           *       "jobId": null,
           *       "didState": {
           *         "state": "failed",
           *         "error": "unsupported_media_type",
           *         "reason": "content-type: must be application/json or application/x-www-form-urlencoded"
           *       },
           *       "didRegistrationMetadata": {},
           *       "didDocumentMetadata": {}
           *     }
           */
          'application/json': components['schemas']['RegistrarFailure']
        }
      }
      /** @description Too many requests */
      429: {
        headers: {
          /** @description Seconds to wait before the next request */
          'retry-after'?: number
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "error": "too many requests; try again in 3 s",
           *       "code": "too_many_requests",
           *       "requestId": "6f1c8f5e-3a52-4d0c-9f0c-2d7f7b7c9a11",
           *       "jobId": null,
           *       "didState": {
           *         "state": "failed",
           *         "error": "too_many_requests",
           *         "reason": "too many requests; try again in 3 s"
           *       },
           *       "didRegistrationMetadata": {},
           *       "didDocumentMetadata": {}
           *     }
           */
          'application/json': components['schemas']['RegistrarFailure']
        }
      }
      /** @description Internal error */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "error": "internal error",
           *       "code": "internal_error",
           *       "requestId": "6f1c8f5e-3a52-4d0c-9f0c-2d7f7b7c9a11",
           *       "jobId": null,
           *       "didState": {
           *         "state": "failed",
           *         "error": "internal_error",
           *         "reason": "internal error"
           *       },
           *       "didRegistrationMetadata": {},
           *       "didDocumentMetadata": {}
           *     }
           */
          'application/json': components['schemas']['RegistrarFailure']
        }
      }
      /** @description The service is starting, or cannot reach what it needs */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "error": "the service is starting; try again in a moment",
           *       "code": "unavailable",
           *       "requestId": "6f1c8f5e-3a52-4d0c-9f0c-2d7f7b7c9a11",
           *       "jobId": null,
           *       "didState": {
           *         "state": "failed",
           *         "error": "unavailable",
           *         "reason": "the service is starting; try again in a moment"
           *       },
           *       "didRegistrationMetadata": {},
           *       "didDocumentMetadata": {}
           *     }
           */
          'application/json': components['schemas']['RegistrarFailure']
        }
      }
    }
  }
  'registrar-properties': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "cheqd": {
           *         "provider": "did:cheqd",
           *         "secretMode": "internal",
           *         "creatable": true,
           *         "updatable": true,
           *         "deactivatable": true,
           *         "optionsChecked": true
           *       }
           *     }
           */
          'application/json': components['schemas']['RegistrarProperties']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthenticated']
      403: components['responses']['Forbidden']
      408: components['responses']['TooSlow']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalError']
      503: components['responses']['Unavailable']
    }
  }
  'vc-api-issue': {
    parameters: {
      query?: never
      header?: {
        /** @description Chosen by the client, for example a UUID: a repeated request with the same key gets the original response. With a different request the same key is rejected (`idempotency_key_reused`). */
        'idempotency-key'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /** @description The credential, without a proof */
          credential: {
            [key: string]: unknown
          }
          options?: {
            /** @description Id in the register, if it has no `id` */
            credentialId?: string
            /**
             * @description Extension: form of the credential; default `ldp_vc`
             * @example ldp_vc
             * @example vc+jwt
             * @example vc+sd-jwt
             */
            format?: string
            /** @description Extension: requests for entries of status lists, as in `POST /credential/issue` */
            credentialStatus?:
              | {
                  /** @description Requests an entry of the list with this name */
                  statusListName: string
                  /** @description Of a request: who publishes the list; default: the issuer */
                  did?: string
                  /** @description Alias of `statusListType` */
                  listType?: string
                  /** @description Type of the list; required if lists of several types have this name */
                  statusListType?: string
                  /** @description Purpose; required if the list has several. Several purposes share one index */
                  statusPurpose?: string | string[]
                  /** @description Of a request: the index to take; default: a free one at random. Of a ready entry: its index as text */
                  statusListIndex?: number | string
                }
              | {
                  /** @description Requests an entry of the list with this name */
                  statusListName: string
                  /** @description Of a request: who publishes the list; default: the issuer */
                  did?: string
                  /** @description Alias of `statusListType` */
                  listType?: string
                  /** @description Type of the list; required if lists of several types have this name */
                  statusListType?: string
                  /** @description Purpose; required if the list has several. Several purposes share one index */
                  statusPurpose?: string | string[]
                  /** @description Of a request: the index to take; default: a free one at random. Of a ready entry: its index as text */
                  statusListIndex?: number | string
                }[]
          }
        }
      }
    }
    responses: {
      /** @description Done */
      201: {
        headers: {
          /** @description `true` if this is the response of an earlier request; absent otherwise */
          'idempotency-replayed'?: boolean
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "verifiableCredential": {
           *         "@context": [
           *           "https://www.w3.org/ns/credentials/v2"
           *         ],
           *         "type": [
           *           "VerifiableCredential"
           *         ],
           *         "issuer": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *         "credentialSubject": {
           *           "id": "did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK",
           *           "name": "Bob"
           *         },
           *         "proof": {
           *           "type": "DataIntegrityProof",
           *           "cryptosuite": "eddsa-rdfc-2022",
           *           "created": "2026-01-31T09:30:00Z",
           *           "verificationMethod": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0#key-1",
           *           "proofPurpose": "assertionMethod",
           *           "proofValue": "z5UrStuknx6fyn65iaJFGgQ7Kb9EQ8NcDyYGKiLiiHxjyuVCY8CRodxnU7xXgc7iu5A5FxZGAG8uQDP1Ea7XvLcx5"
           *         }
           *       }
           *     }
           */
          'application/json': {
            /**
             * @description The credential, with its proof or enveloped
             * @example {
             *       "@context": [],
             *       "type": []
             *     }
             */
            verifiableCredential: {
              [key: string]: unknown
            }
          }
        }
      }
      /** @description The input is invalid, or names something that the account does not have */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "error": "indices[2]: is outside the list (0 to 131071)",
           *       "code": "index_out_of_range",
           *       "requestId": "6f1c8f5e-3a52-4d0c-9f0c-2d7f7b7c9a11",
           *       "details": [
           *         {
           *           "path": "indices[2]",
           *           "message": "is outside the list (0 to 131071)"
           *         }
           *       ],
           *       "type": "about:blank",
           *       "title": "Refused",
           *       "detail": "indices[2]: is outside the list (0 to 131071)"
           *     }
           */
          'application/json': components['schemas']['VcApiRefusal']
        }
      }
      /** @description The access token is missing or invalid */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "error": "the access token is missing or invalid: x-api-key: must be an API key",
           *       "code": "unauthenticated",
           *       "requestId": "6f1c8f5e-3a52-4d0c-9f0c-2d7f7b7c9a11",
           *       "details": [
           *         {
           *           "path": "x-api-key",
           *           "message": "must be an API key",
           *           "reason": "malformed"
           *         }
           *       ],
           *       "type": "about:blank",
           *       "title": "Refused",
           *       "detail": "the access token is missing or invalid: x-api-key: must be an API key"
           *     }
           */
          'application/json': components['schemas']['VcApiRefusal']
        }
      }
      /** @description The API key lacks the right to do this */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "error": "this API key lacks a required scope: dids or did-create",
           *       "code": "forbidden",
           *       "requestId": "6f1c8f5e-3a52-4d0c-9f0c-2d7f7b7c9a11",
           *       "type": "about:blank",
           *       "title": "Refused",
           *       "detail": "this API key lacks a required scope: dids or did-create"
           *     }
           */
          'application/json': components['schemas']['VcApiRefusal']
        }
      }
      /** @description The request did not arrive in time; nothing is changed */
      408: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "error": "the body did not arrive within 30000 ms",
           *       "code": "request_timeout",
           *       "requestId": "6f1c8f5e-3a52-4d0c-9f0c-2d7f7b7c9a11",
           *       "type": "about:blank",
           *       "title": "Refused",
           *       "detail": "the body did not arrive within 30000 ms"
           *     }
           */
          'application/json': components['schemas']['VcApiRefusal']
        }
      }
      /** @description The body is too large */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "error": "the body is larger than the limit of 1048576 bytes",
           *       "code": "body_too_large",
           *       "requestId": "6f1c8f5e-3a52-4d0c-9f0c-2d7f7b7c9a11",
           *       "type": "about:blank",
           *       "title": "Refused",
           *       "detail": "the body is larger than the limit of 1048576 bytes"
           *     }
           */
          'application/json': components['schemas']['VcApiRefusal']
        }
      }
      /** @description The content type of the body is not supported */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "error": "content-type: must be application/json or application/x-www-form-urlencoded",
           *       "code": "unsupported_media_type",
           *       "requestId": "6f1c8f5e-3a52-4d0c-9f0c-2d7f7b7c9a11",
           *       "type": "about:blank",
           *       "title": "Refused",
           *       "detail": "content-type: must be application/json or application/x-www-form-urlencoded"
           *     }
           */
          'application/json': components['schemas']['VcApiRefusal']
        }
      }
      /** @description Too many requests */
      429: {
        headers: {
          /** @description Seconds to wait before the next request */
          'retry-after'?: number
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "error": "too many requests; try again in 3 s",
           *       "code": "too_many_requests",
           *       "requestId": "6f1c8f5e-3a52-4d0c-9f0c-2d7f7b7c9a11",
           *       "type": "about:blank",
           *       "title": "Refused",
           *       "detail": "too many requests; try again in 3 s"
           *     }
           */
          'application/json': components['schemas']['VcApiRefusal']
        }
      }
      /** @description Internal error */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "error": "internal error",
           *       "code": "internal_error",
           *       "requestId": "6f1c8f5e-3a52-4d0c-9f0c-2d7f7b7c9a11",
           *       "type": "about:blank",
           *       "title": "Refused",
           *       "detail": "internal error"
           *     }
           */
          'application/json': components['schemas']['VcApiRefusal']
        }
      }
      /** @description The service is starting, or cannot reach what it needs */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "error": "the service is starting; try again in a moment",
           *       "code": "unavailable",
           *       "requestId": "6f1c8f5e-3a52-4d0c-9f0c-2d7f7b7c9a11",
           *       "type": "about:blank",
           *       "title": "Refused",
           *       "detail": "the service is starting; try again in a moment"
           *     }
           */
          'application/json': components['schemas']['VcApiRefusal']
        }
      }
    }
  }
  'vc-api-verify-credential': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /**
           * @description The credential, with its proof or enveloped
           * @example {
           *       "@context": [],
           *       "type": []
           *     }
           */
          verifiableCredential: {
            [key: string]: unknown
          }
          options?: {
            /** @description Return the results of each step; default false */
            returnResults?: boolean
            /** @description Return the problems; default true */
            returnProblemDetails?: boolean
            /** @description Return the credential as it was sent; default false */
            returnCredential?: boolean
            /**
             * @deprecated
             * @description Accepted and ignored. Policies are ignored: everything is verified.
             */
            checks?: unknown
          }
        }
      }
    }
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "verified": true
           *     }
           */
          'application/json': components['schemas']['VcApiCredentialResult']
        }
      }
      /** @description The input is invalid, or names something that the account does not have */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json':
            components['schemas']['VcApiRefusal'] | components['schemas']['VcApiCredentialResult']
        }
      }
      /** @description The access token is missing or invalid */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "error": "the access token is missing or invalid: x-api-key: must be an API key",
           *       "code": "unauthenticated",
           *       "requestId": "6f1c8f5e-3a52-4d0c-9f0c-2d7f7b7c9a11",
           *       "details": [
           *         {
           *           "path": "x-api-key",
           *           "message": "must be an API key",
           *           "reason": "malformed"
           *         }
           *       ],
           *       "type": "about:blank",
           *       "title": "Refused",
           *       "detail": "the access token is missing or invalid: x-api-key: must be an API key"
           *     }
           */
          'application/json': components['schemas']['VcApiRefusal']
        }
      }
      /** @description The API key lacks the right to do this */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "error": "this API key lacks a required scope: dids or did-create",
           *       "code": "forbidden",
           *       "requestId": "6f1c8f5e-3a52-4d0c-9f0c-2d7f7b7c9a11",
           *       "type": "about:blank",
           *       "title": "Refused",
           *       "detail": "this API key lacks a required scope: dids or did-create"
           *     }
           */
          'application/json': components['schemas']['VcApiRefusal']
        }
      }
      /** @description The request did not arrive in time; nothing is changed */
      408: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "error": "the body did not arrive within 30000 ms",
           *       "code": "request_timeout",
           *       "requestId": "6f1c8f5e-3a52-4d0c-9f0c-2d7f7b7c9a11",
           *       "type": "about:blank",
           *       "title": "Refused",
           *       "detail": "the body did not arrive within 30000 ms"
           *     }
           */
          'application/json': components['schemas']['VcApiRefusal']
        }
      }
      /** @description The body is too large */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "error": "the body is larger than the limit of 1048576 bytes",
           *       "code": "body_too_large",
           *       "requestId": "6f1c8f5e-3a52-4d0c-9f0c-2d7f7b7c9a11",
           *       "type": "about:blank",
           *       "title": "Refused",
           *       "detail": "the body is larger than the limit of 1048576 bytes"
           *     }
           */
          'application/json': components['schemas']['VcApiRefusal']
        }
      }
      /** @description The content type of the body is not supported */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "error": "content-type: must be application/json or application/x-www-form-urlencoded",
           *       "code": "unsupported_media_type",
           *       "requestId": "6f1c8f5e-3a52-4d0c-9f0c-2d7f7b7c9a11",
           *       "type": "about:blank",
           *       "title": "Refused",
           *       "detail": "content-type: must be application/json or application/x-www-form-urlencoded"
           *     }
           */
          'application/json': components['schemas']['VcApiRefusal']
        }
      }
      /** @description Too many requests */
      429: {
        headers: {
          /** @description Seconds to wait before the next request */
          'retry-after'?: number
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "error": "too many requests; try again in 3 s",
           *       "code": "too_many_requests",
           *       "requestId": "6f1c8f5e-3a52-4d0c-9f0c-2d7f7b7c9a11",
           *       "type": "about:blank",
           *       "title": "Refused",
           *       "detail": "too many requests; try again in 3 s"
           *     }
           */
          'application/json': components['schemas']['VcApiRefusal']
        }
      }
      /** @description Internal error */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "error": "internal error",
           *       "code": "internal_error",
           *       "requestId": "6f1c8f5e-3a52-4d0c-9f0c-2d7f7b7c9a11",
           *       "type": "about:blank",
           *       "title": "Refused",
           *       "detail": "internal error"
           *     }
           */
          'application/json': components['schemas']['VcApiRefusal']
        }
      }
      /** @description The service is starting, or cannot reach what it needs */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "error": "the service is starting; try again in a moment",
           *       "code": "unavailable",
           *       "requestId": "6f1c8f5e-3a52-4d0c-9f0c-2d7f7b7c9a11",
           *       "type": "about:blank",
           *       "title": "Refused",
           *       "detail": "the service is starting; try again in a moment"
           *     }
           */
          'application/json': components['schemas']['VcApiRefusal']
        }
      }
    }
  }
  'vc-api-status': {
    parameters: {
      query?: never
      header?: {
        /** @description Chosen by the client, for example a UUID: a repeated request with the same key gets the original response. With a different request the same key is rejected (`idempotency_key_reused`). */
        'idempotency-key'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /** @description The id of a credential: its `id`, or the `jti` of an SD-JWT VC */
          credentialId: string
          credentialStatus: {
            /** @description Id of the entry */
            id?: string
            /** @description Type of the entry */
            type: string
            /** @description `revocation` or `suspension` */
            statusPurpose: string
            /** @description Index in the list; default: as registered */
            statusListIndex?: string
            /** @description Address of the list; default: as registered */
            statusListCredential?: string
            statusSize?: number
            statusMessage?: {
              [key: string]: unknown
            }[]
            statusReference?: unknown
          }
          /** @description Whether it is revoked or suspended */
          status: boolean
        }
      }
    }
    responses: {
      /** @description Done */
      200: {
        headers: {
          /** @description `true` if this is the response of an earlier request; absent otherwise */
          'idempotency-replayed'?: boolean
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "status": true
           *     }
           */
          'application/json': {
            status: boolean
            /**
             * @description Network fee for what was written; absent if there was none. Callers who share a version each see its full cost
             * @example {
             *       "amount": "10000000000",
             *       "denom": "ncheq"
             *     }
             */
            cost?: {
              /** @description In the unit of `denom` */
              amount: string
              /**
               * @description 1,000,000,000 ncheq are one CHEQ
               * @constant
               */
              denom: 'ncheq'
            }
          }
        }
      }
      /** @description The input is invalid, or names something that the account does not have */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "error": "indices[2]: is outside the list (0 to 131071)",
           *       "code": "index_out_of_range",
           *       "requestId": "6f1c8f5e-3a52-4d0c-9f0c-2d7f7b7c9a11",
           *       "details": [
           *         {
           *           "path": "indices[2]",
           *           "message": "is outside the list (0 to 131071)"
           *         }
           *       ],
           *       "type": "about:blank",
           *       "title": "Refused",
           *       "detail": "indices[2]: is outside the list (0 to 131071)"
           *     }
           */
          'application/json': components['schemas']['VcApiRefusal']
        }
      }
      /** @description The access token is missing or invalid */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "error": "the access token is missing or invalid: x-api-key: must be an API key",
           *       "code": "unauthenticated",
           *       "requestId": "6f1c8f5e-3a52-4d0c-9f0c-2d7f7b7c9a11",
           *       "details": [
           *         {
           *           "path": "x-api-key",
           *           "message": "must be an API key",
           *           "reason": "malformed"
           *         }
           *       ],
           *       "type": "about:blank",
           *       "title": "Refused",
           *       "detail": "the access token is missing or invalid: x-api-key: must be an API key"
           *     }
           */
          'application/json': components['schemas']['VcApiRefusal']
        }
      }
      /** @description The API key lacks the right to do this */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "error": "this API key lacks a required scope: dids or did-create",
           *       "code": "forbidden",
           *       "requestId": "6f1c8f5e-3a52-4d0c-9f0c-2d7f7b7c9a11",
           *       "type": "about:blank",
           *       "title": "Refused",
           *       "detail": "this API key lacks a required scope: dids or did-create"
           *     }
           */
          'application/json': components['schemas']['VcApiRefusal']
        }
      }
      /** @description Not found */
      404: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "error": "the account holds no such key",
           *       "code": "key_not_found",
           *       "requestId": "6f1c8f5e-3a52-4d0c-9f0c-2d7f7b7c9a11",
           *       "type": "about:blank",
           *       "title": "Refused",
           *       "detail": "the account holds no such key"
           *     }
           */
          'application/json': components['schemas']['VcApiRefusal']
        }
      }
      /** @description The request did not arrive in time; nothing is changed */
      408: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "error": "the body did not arrive within 30000 ms",
           *       "code": "request_timeout",
           *       "requestId": "6f1c8f5e-3a52-4d0c-9f0c-2d7f7b7c9a11",
           *       "type": "about:blank",
           *       "title": "Refused",
           *       "detail": "the body did not arrive within 30000 ms"
           *     }
           */
          'application/json': components['schemas']['VcApiRefusal']
        }
      }
      /** @description The body is too large */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "error": "the body is larger than the limit of 1048576 bytes",
           *       "code": "body_too_large",
           *       "requestId": "6f1c8f5e-3a52-4d0c-9f0c-2d7f7b7c9a11",
           *       "type": "about:blank",
           *       "title": "Refused",
           *       "detail": "the body is larger than the limit of 1048576 bytes"
           *     }
           */
          'application/json': components['schemas']['VcApiRefusal']
        }
      }
      /** @description The content type of the body is not supported */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "error": "content-type: must be application/json or application/x-www-form-urlencoded",
           *       "code": "unsupported_media_type",
           *       "requestId": "6f1c8f5e-3a52-4d0c-9f0c-2d7f7b7c9a11",
           *       "type": "about:blank",
           *       "title": "Refused",
           *       "detail": "content-type: must be application/json or application/x-www-form-urlencoded"
           *     }
           */
          'application/json': components['schemas']['VcApiRefusal']
        }
      }
      /** @description Too many requests */
      429: {
        headers: {
          /** @description Seconds to wait before the next request */
          'retry-after'?: number
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "error": "too many requests; try again in 3 s",
           *       "code": "too_many_requests",
           *       "requestId": "6f1c8f5e-3a52-4d0c-9f0c-2d7f7b7c9a11",
           *       "type": "about:blank",
           *       "title": "Refused",
           *       "detail": "too many requests; try again in 3 s"
           *     }
           */
          'application/json': components['schemas']['VcApiRefusal']
        }
      }
      /** @description Internal error */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "error": "internal error",
           *       "code": "internal_error",
           *       "requestId": "6f1c8f5e-3a52-4d0c-9f0c-2d7f7b7c9a11",
           *       "type": "about:blank",
           *       "title": "Refused",
           *       "detail": "internal error"
           *     }
           */
          'application/json': components['schemas']['VcApiRefusal']
        }
      }
      /** @description The service is starting, or cannot reach what it needs */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "error": "the service is starting; try again in a moment",
           *       "code": "unavailable",
           *       "requestId": "6f1c8f5e-3a52-4d0c-9f0c-2d7f7b7c9a11",
           *       "type": "about:blank",
           *       "title": "Refused",
           *       "detail": "the service is starting; try again in a moment"
           *     }
           */
          'application/json': components['schemas']['VcApiRefusal']
        }
      }
    }
  }
  'vc-api-create-presentation': {
    parameters: {
      query?: never
      header?: {
        /** @description Chosen by the client, for example a UUID: a repeated request with the same key gets the original response. With a different request the same key is rejected (`idempotency_key_reused`). */
        'idempotency-key'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          presentation: {
            /** @description That of the data model 2.0 */
            '@context': string[]
            /** @description VerifiablePresentation */
            type: string[]
            /**
             * @description DID of the holder, held by the account; default: the subject of the credentials
             * @example did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0
             */
            holder?: string
            /** @description The credentials, with their proofs or enveloped */
            verifiableCredential: {
              [key: string]: unknown
            }[]
          }
          options?: {
            /** @description The challenge of the verifier */
            challenge?: string
            /** @description The verifier that it is for */
            domain?: string
            /**
             * @description How long it is valid, an ISO 8601 duration; default: `PT1H`
             * @example PT15M
             */
            expiresIn?: string
          }
        }
      }
    }
    responses: {
      /** @description Done */
      201: {
        headers: {
          /** @description `true` if this is the response of an earlier request; absent otherwise */
          'idempotency-replayed'?: boolean
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "verifiablePresentation": {
           *         "@context": [
           *           "https://www.w3.org/ns/credentials/v2"
           *         ],
           *         "type": [
           *           "VerifiablePresentation"
           *         ],
           *         "holder": "did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK",
           *         "verifiableCredential": [
           *           {
           *             "@context": [
           *               "https://www.w3.org/ns/credentials/v2"
           *             ],
           *             "type": [
           *               "VerifiableCredential"
           *             ],
           *             "issuer": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *             "credentialSubject": {
           *               "id": "did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK",
           *               "name": "Bob"
           *             },
           *             "proof": {
           *               "type": "DataIntegrityProof",
           *               "cryptosuite": "eddsa-rdfc-2022",
           *               "created": "2026-01-31T09:30:00Z",
           *               "verificationMethod": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0#key-1",
           *               "proofPurpose": "assertionMethod",
           *               "proofValue": "z5UrStuknx6fyn65iaJFGgQ7Kb9EQ8NcDyYGKiLiiHxjyuVCY8CRodxnU7xXgc7iu5A5FxZGAG8uQDP1Ea7XvLcx5"
           *             }
           *           }
           *         ],
           *         "proof": {
           *           "type": "DataIntegrityProof",
           *           "cryptosuite": "eddsa-rdfc-2022",
           *           "created": "2026-01-31T09:30:00Z",
           *           "verificationMethod": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0#key-1",
           *           "proofPurpose": "authentication",
           *           "proofValue": "z5UrStuknx6fyn65iaJFGgQ7Kb9EQ8NcDyYGKiLiiHxjyuVCY8CRodxnU7xXgc7iu5A5FxZGAG8uQDP1Ea7XvLcx5"
           *         }
           *       }
           *     }
           */
          'application/json': {
            /**
             * @description The presentation, with its proof or enveloped
             * @example {
             *       "@context": [],
             *       "type": []
             *     }
             */
            verifiablePresentation: {
              [key: string]: unknown
            }
          }
        }
      }
      /** @description The input is invalid, or names something that the account does not have */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "error": "indices[2]: is outside the list (0 to 131071)",
           *       "code": "index_out_of_range",
           *       "requestId": "6f1c8f5e-3a52-4d0c-9f0c-2d7f7b7c9a11",
           *       "details": [
           *         {
           *           "path": "indices[2]",
           *           "message": "is outside the list (0 to 131071)"
           *         }
           *       ],
           *       "type": "about:blank",
           *       "title": "Refused",
           *       "detail": "indices[2]: is outside the list (0 to 131071)"
           *     }
           */
          'application/json': components['schemas']['VcApiRefusal']
        }
      }
      /** @description The access token is missing or invalid */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "error": "the access token is missing or invalid: x-api-key: must be an API key",
           *       "code": "unauthenticated",
           *       "requestId": "6f1c8f5e-3a52-4d0c-9f0c-2d7f7b7c9a11",
           *       "details": [
           *         {
           *           "path": "x-api-key",
           *           "message": "must be an API key",
           *           "reason": "malformed"
           *         }
           *       ],
           *       "type": "about:blank",
           *       "title": "Refused",
           *       "detail": "the access token is missing or invalid: x-api-key: must be an API key"
           *     }
           */
          'application/json': components['schemas']['VcApiRefusal']
        }
      }
      /** @description The API key lacks the right to do this */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "error": "this API key lacks a required scope: dids or did-create",
           *       "code": "forbidden",
           *       "requestId": "6f1c8f5e-3a52-4d0c-9f0c-2d7f7b7c9a11",
           *       "type": "about:blank",
           *       "title": "Refused",
           *       "detail": "this API key lacks a required scope: dids or did-create"
           *     }
           */
          'application/json': components['schemas']['VcApiRefusal']
        }
      }
      /** @description The request did not arrive in time; nothing is changed */
      408: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "error": "the body did not arrive within 30000 ms",
           *       "code": "request_timeout",
           *       "requestId": "6f1c8f5e-3a52-4d0c-9f0c-2d7f7b7c9a11",
           *       "type": "about:blank",
           *       "title": "Refused",
           *       "detail": "the body did not arrive within 30000 ms"
           *     }
           */
          'application/json': components['schemas']['VcApiRefusal']
        }
      }
      /** @description The body is too large */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "error": "the body is larger than the limit of 1048576 bytes",
           *       "code": "body_too_large",
           *       "requestId": "6f1c8f5e-3a52-4d0c-9f0c-2d7f7b7c9a11",
           *       "type": "about:blank",
           *       "title": "Refused",
           *       "detail": "the body is larger than the limit of 1048576 bytes"
           *     }
           */
          'application/json': components['schemas']['VcApiRefusal']
        }
      }
      /** @description The content type of the body is not supported */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "error": "content-type: must be application/json or application/x-www-form-urlencoded",
           *       "code": "unsupported_media_type",
           *       "requestId": "6f1c8f5e-3a52-4d0c-9f0c-2d7f7b7c9a11",
           *       "type": "about:blank",
           *       "title": "Refused",
           *       "detail": "content-type: must be application/json or application/x-www-form-urlencoded"
           *     }
           */
          'application/json': components['schemas']['VcApiRefusal']
        }
      }
      /** @description Too many requests */
      429: {
        headers: {
          /** @description Seconds to wait before the next request */
          'retry-after'?: number
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "error": "too many requests; try again in 3 s",
           *       "code": "too_many_requests",
           *       "requestId": "6f1c8f5e-3a52-4d0c-9f0c-2d7f7b7c9a11",
           *       "type": "about:blank",
           *       "title": "Refused",
           *       "detail": "too many requests; try again in 3 s"
           *     }
           */
          'application/json': components['schemas']['VcApiRefusal']
        }
      }
      /** @description Internal error */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "error": "internal error",
           *       "code": "internal_error",
           *       "requestId": "6f1c8f5e-3a52-4d0c-9f0c-2d7f7b7c9a11",
           *       "type": "about:blank",
           *       "title": "Refused",
           *       "detail": "internal error"
           *     }
           */
          'application/json': components['schemas']['VcApiRefusal']
        }
      }
      /** @description The service is starting, or cannot reach what it needs */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "error": "the service is starting; try again in a moment",
           *       "code": "unavailable",
           *       "requestId": "6f1c8f5e-3a52-4d0c-9f0c-2d7f7b7c9a11",
           *       "type": "about:blank",
           *       "title": "Refused",
           *       "detail": "the service is starting; try again in a moment"
           *     }
           */
          'application/json': components['schemas']['VcApiRefusal']
        }
      }
    }
  }
  'vc-api-verify-presentation': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /**
           * @description The presentation, with its proof or enveloped
           * @example {
           *       "@context": [],
           *       "type": []
           *     }
           */
          verifiablePresentation: {
            [key: string]: unknown
          }
          options?: {
            /** @description The challenge of the verifier */
            challenge?: string
            /** @description The verifier that it is for */
            domain?: string
            /** @description Return the presentation as it was sent; default false */
            returnPresentation?: boolean
            /**
             * @deprecated
             * @description Accepted and ignored. Policies are ignored: everything is verified.
             */
            checks?: unknown
          }
        }
      }
    }
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "verified": true,
           *       "results": {
           *         "presentation": {
           *           "holder": {
           *             "verified": true,
           *             "input": "did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK"
           *           }
           *         },
           *         "credentials": []
           *       }
           *     }
           */
          'application/json': components['schemas']['VcApiPresentationResult']
        }
      }
      /** @description The input is invalid, or names something that the account does not have */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json':
            components['schemas']['VcApiRefusal'] | components['schemas']['VcApiPresentationResult']
        }
      }
      /** @description The access token is missing or invalid */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "error": "the access token is missing or invalid: x-api-key: must be an API key",
           *       "code": "unauthenticated",
           *       "requestId": "6f1c8f5e-3a52-4d0c-9f0c-2d7f7b7c9a11",
           *       "details": [
           *         {
           *           "path": "x-api-key",
           *           "message": "must be an API key",
           *           "reason": "malformed"
           *         }
           *       ],
           *       "type": "about:blank",
           *       "title": "Refused",
           *       "detail": "the access token is missing or invalid: x-api-key: must be an API key"
           *     }
           */
          'application/json': components['schemas']['VcApiRefusal']
        }
      }
      /** @description The API key lacks the right to do this */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "error": "this API key lacks a required scope: dids or did-create",
           *       "code": "forbidden",
           *       "requestId": "6f1c8f5e-3a52-4d0c-9f0c-2d7f7b7c9a11",
           *       "type": "about:blank",
           *       "title": "Refused",
           *       "detail": "this API key lacks a required scope: dids or did-create"
           *     }
           */
          'application/json': components['schemas']['VcApiRefusal']
        }
      }
      /** @description The request did not arrive in time; nothing is changed */
      408: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "error": "the body did not arrive within 30000 ms",
           *       "code": "request_timeout",
           *       "requestId": "6f1c8f5e-3a52-4d0c-9f0c-2d7f7b7c9a11",
           *       "type": "about:blank",
           *       "title": "Refused",
           *       "detail": "the body did not arrive within 30000 ms"
           *     }
           */
          'application/json': components['schemas']['VcApiRefusal']
        }
      }
      /** @description The body is too large */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "error": "the body is larger than the limit of 1048576 bytes",
           *       "code": "body_too_large",
           *       "requestId": "6f1c8f5e-3a52-4d0c-9f0c-2d7f7b7c9a11",
           *       "type": "about:blank",
           *       "title": "Refused",
           *       "detail": "the body is larger than the limit of 1048576 bytes"
           *     }
           */
          'application/json': components['schemas']['VcApiRefusal']
        }
      }
      /** @description The content type of the body is not supported */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "error": "content-type: must be application/json or application/x-www-form-urlencoded",
           *       "code": "unsupported_media_type",
           *       "requestId": "6f1c8f5e-3a52-4d0c-9f0c-2d7f7b7c9a11",
           *       "type": "about:blank",
           *       "title": "Refused",
           *       "detail": "content-type: must be application/json or application/x-www-form-urlencoded"
           *     }
           */
          'application/json': components['schemas']['VcApiRefusal']
        }
      }
      /** @description Too many requests */
      429: {
        headers: {
          /** @description Seconds to wait before the next request */
          'retry-after'?: number
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "error": "too many requests; try again in 3 s",
           *       "code": "too_many_requests",
           *       "requestId": "6f1c8f5e-3a52-4d0c-9f0c-2d7f7b7c9a11",
           *       "type": "about:blank",
           *       "title": "Refused",
           *       "detail": "too many requests; try again in 3 s"
           *     }
           */
          'application/json': components['schemas']['VcApiRefusal']
        }
      }
      /** @description Internal error */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "error": "internal error",
           *       "code": "internal_error",
           *       "requestId": "6f1c8f5e-3a52-4d0c-9f0c-2d7f7b7c9a11",
           *       "type": "about:blank",
           *       "title": "Refused",
           *       "detail": "internal error"
           *     }
           */
          'application/json': components['schemas']['VcApiRefusal']
        }
      }
      /** @description The service is starting, or cannot reach what it needs */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "error": "the service is starting; try again in a moment",
           *       "code": "unavailable",
           *       "requestId": "6f1c8f5e-3a52-4d0c-9f0c-2d7f7b7c9a11",
           *       "type": "about:blank",
           *       "title": "Refused",
           *       "detail": "the service is starting; try again in a moment"
           *     }
           */
          'application/json': components['schemas']['VcApiRefusal']
        }
      }
    }
  }
  'did-methods': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Their names */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example [
           *       "cheqd",
           *       "jwk",
           *       "key"
           *     ]
           */
          'application/json': string[]
        }
      }
      405: components['responses']['MethodNotAllowed']
      408: components['responses']['TooSlow']
      429: components['responses']['TooManyRequests']
    }
  }
  'did-resolve': {
    parameters: {
      query?: {
        /** @description Name of a DID-Linked Resource, such as a status list; at most 64 bytes of UTF-8 */
        resourceName?: string
        /** @description Its type; may be omitted if only one type has this name; at most 64 bytes of UTF-8 */
        resourceType?: string
        /** @description Version set by its publisher; at most 64 bytes of UTF-8 */
        resourceVersion?: string
        /** @description The version at that time; aliases: `timestamp`, and `time` in Unix seconds */
        resourceVersionTime?: string
        /** @description One fixed version */
        resourceId?: string
        /** @description Must be the identifier of the DID */
        resourceCollectionId?: string
        /** @description SHA-256 of the content, in hex */
        checksum?: string
        /** @description `true`: return the metadata instead of the content */
        resourceMetadata?: 'true' | 'false'
        /** @description A version of the DID document */
        versionId?: string
        /** @description The version of the DID document at that time */
        versionTime?: string
        /** @description Converts the verification methods to this type */
        transformKeys?: 'Ed25519VerificationKey2018' | 'Ed25519VerificationKey2020' | 'JsonWebKey2020'
        /** @description Fragment of a service: redirects to its endpoint */
        service?: string
        /** @description Appended to the endpoint of the service */
        relativeRef?: string
        /** @description `true`: return the metadata of the DID document instead */
        metadata?: 'true' | 'false'
        /** @description Alias of resourceVersionTime */
        timestamp?: string
        /** @description Alias of resourceVersionTime, in seconds since 1970 */
        time?: string
      }
      header?: never
      path: {
        /** @description A DID, plain or percent-encoded; `%23` and a fragment name a part of its document */
        did: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The result, the document, or the content of the resource */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "@context": "https://w3id.org/did-resolution/v1",
           *       "didDocument": {
           *         "@context": [
           *           "https://www.w3.org/ns/did/v1"
           *         ],
           *         "id": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *         "controller": [
           *           "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0"
           *         ]
           *       },
           *       "didResolutionMetadata": {
           *         "contentType": "application/did+ld+json",
           *         "retrieved": "2026-01-31T09:30:05Z",
           *         "did": {
           *           "didString": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "methodSpecificId": "7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "method": "cheqd"
           *         }
           *       },
           *       "didDocumentMetadata": {
           *         "created": "2026-01-31T09:30:00Z",
           *         "versionId": "0b1a6f2c-6f2e-4d5f-8c2a-7c0d3c1c9b60"
           *       }
           *     }
           */
          'application/ld+json;profile="https://w3id.org/did-resolution"':
            components['schemas']['DidResolutionResult'] | components['schemas']['DidUrlDereferencingResult']
          /**
           * @example {
           *       "@context": "https://w3id.org/did-resolution/v1",
           *       "didDocument": {
           *         "@context": [
           *           "https://www.w3.org/ns/did/v1"
           *         ],
           *         "id": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *         "controller": [
           *           "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0"
           *         ]
           *       },
           *       "didResolutionMetadata": {
           *         "contentType": "application/did+ld+json",
           *         "retrieved": "2026-01-31T09:30:05Z",
           *         "did": {
           *           "didString": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "methodSpecificId": "7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "method": "cheqd"
           *         }
           *       },
           *       "didDocumentMetadata": {
           *         "created": "2026-01-31T09:30:00Z",
           *         "versionId": "0b1a6f2c-6f2e-4d5f-8c2a-7c0d3c1c9b60"
           *       }
           *     }
           */
          'application/did-resolution': components['schemas']['DidResolutionResult']
          /**
           * @example {
           *       "@context": [
           *         "https://www.w3.org/ns/did/v1"
           *       ],
           *       "id": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *       "controller": [
           *         "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0"
           *       ]
           *     }
           */
          'application/did+ld+json': components['schemas']['PublishedDidDocument']
          /**
           * @example {
           *       "id": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0"
           *     }
           */
          'application/did+json': components['schemas']['PublishedDidDocument']
          /**
           * @example {
           *       "@context": [
           *         "https://www.w3.org/ns/did/v1"
           *       ],
           *       "id": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *       "controller": [
           *         "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0"
           *       ]
           *     }
           */
          'application/did': components['schemas']['PublishedDidDocument']
          /**
           * @example {
           *       "@context": "https://w3id.org/did-resolution/v1",
           *       "didDocument": {
           *         "@context": [
           *           "https://www.w3.org/ns/did/v1"
           *         ],
           *         "id": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *         "controller": [
           *           "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0"
           *         ]
           *       },
           *       "didResolutionMetadata": {
           *         "contentType": "application/did+ld+json",
           *         "retrieved": "2026-01-31T09:30:05Z",
           *         "did": {
           *           "didString": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "methodSpecificId": "7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "method": "cheqd"
           *         }
           *       },
           *       "didDocumentMetadata": {
           *         "created": "2026-01-31T09:30:00Z",
           *         "versionId": "0b1a6f2c-6f2e-4d5f-8c2a-7c0d3c1c9b60"
           *       }
           *     }
           */
          'application/json': unknown
          'application/octet-stream': unknown
          'text/plain': unknown
          'application/vc+jwt': unknown
        }
      }
      /** @description The DID has a new identifier */
      301: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The endpoint of the service */
      303: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
      /** @description Not modified, according to the entity tag in if-none-match */
      304: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The DID or DID URL is invalid */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "@context": "https://w3id.org/did-resolution/v1",
           *       "didDocument": null,
           *       "didResolutionMetadata": {
           *         "contentType": "application/did+ld+json",
           *         "retrieved": "2026-01-31T09:30:05Z",
           *         "did": {
           *           "didString": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "methodSpecificId": "7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "method": "cheqd"
           *         },
           *         "error": "invalidDid",
           *         "message": "it does not begin with a DID"
           *       },
           *       "didDocumentMetadata": {}
           *     }
           */
          'application/json':
            components['schemas']['DidResolutionResult'] | components['schemas']['DidUrlDereferencingResult']
        }
      }
      /** @description Not found */
      404: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "@context": "https://w3id.org/did-resolution/v1",
           *       "didDocument": null,
           *       "didResolutionMetadata": {
           *         "contentType": "application/did+ld+json",
           *         "retrieved": "2026-01-31T09:30:05Z",
           *         "did": {
           *           "didString": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "methodSpecificId": "7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "method": "cheqd"
           *         },
           *         "error": "notFound",
           *         "message": "the DID or version does not exist on the ledger"
           *       },
           *       "didDocumentMetadata": {}
           *     }
           */
          'application/json':
            components['schemas']['DidResolutionResult'] | components['schemas']['DidUrlDereferencingResult']
        }
      }
      405: components['responses']['MethodNotAllowed']
      /** @description The representation is not available */
      406: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "@context": "https://w3id.org/did-resolution/v1",
           *       "didDocument": null,
           *       "didResolutionMetadata": {
           *         "contentType": "application/did+ld+json",
           *         "retrieved": "2026-01-31T09:30:05Z",
           *         "did": {
           *           "didString": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "methodSpecificId": "7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "method": "cheqd"
           *         },
           *         "error": "representationNotSupported",
           *         "message": "its media type is text/plain"
           *       },
           *       "didDocumentMetadata": {}
           *     }
           */
          'application/json':
            components['schemas']['DidResolutionResult'] | components['schemas']['DidUrlDereferencingResult']
        }
      }
      408: components['responses']['TooSlow']
      /** @description The DID is deactivated; the body is the same as with 200 */
      410: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "@context": "https://w3id.org/did-resolution/v1",
           *       "didDocument": {
           *         "@context": [
           *           "https://www.w3.org/ns/did/v1"
           *         ],
           *         "id": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *         "controller": [
           *           "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0"
           *         ]
           *       },
           *       "didResolutionMetadata": {
           *         "contentType": "application/did+ld+json",
           *         "retrieved": "2026-01-31T09:30:05Z",
           *         "did": {
           *           "didString": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "methodSpecificId": "7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "method": "cheqd"
           *         }
           *       },
           *       "didDocumentMetadata": {
           *         "created": "2026-01-31T09:30:00Z",
           *         "versionId": "0b1a6f2c-6f2e-4d5f-8c2a-7c0d3c1c9b60",
           *         "deactivated": true
           *       }
           *     }
           */
          'application/ld+json;profile="https://w3id.org/did-resolution"': components['schemas']['DidResolutionResult']
          'application/did-resolution': components['schemas']['DidResolutionResult']
          'application/json': components['schemas']['DidResolutionResult']
          /**
           * @example {
           *       "@context": [
           *         "https://www.w3.org/ns/did/v1"
           *       ],
           *       "id": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *       "controller": [
           *         "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0"
           *       ]
           *     }
           */
          'application/did+ld+json': components['schemas']['PublishedDidDocument']
          'application/did+json': components['schemas']['PublishedDidDocument']
          'application/did': components['schemas']['PublishedDidDocument']
        }
      }
      429: components['responses']['TooManyRequests']
      /** @description Internal error */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "@context": "https://w3id.org/did-resolution/v1",
           *       "didDocument": null,
           *       "didResolutionMetadata": {
           *         "contentType": "application/did+ld+json",
           *         "retrieved": "2026-01-31T09:30:05Z",
           *         "did": {
           *           "didString": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "methodSpecificId": "7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "method": "cheqd"
           *         },
           *         "error": "internalError",
           *         "message": "internal error"
           *       },
           *       "didDocumentMetadata": {}
           *     }
           */
          'application/json':
            components['schemas']['DidResolutionResult'] | components['schemas']['DidUrlDereferencingResult']
        }
      }
      /** @description This DID method, or the type of the key of the DID, is not supported here */
      501: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "@context": "https://w3id.org/did-resolution/v1",
           *       "didDocument": null,
           *       "didResolutionMetadata": {
           *         "contentType": "application/did+ld+json",
           *         "retrieved": "2026-01-31T09:30:05Z",
           *         "did": {
           *           "didString": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "methodSpecificId": "7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "method": "cheqd"
           *         },
           *         "error": "methodNotSupported",
           *         "message": "did:web is not resolved publicly here"
           *       },
           *       "didDocumentMetadata": {}
           *     }
           */
          'application/json':
            components['schemas']['DidResolutionResult'] | components['schemas']['DidUrlDereferencingResult']
        }
      }
      /** @description It cannot be determined now */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "@context": "https://w3id.org/did-resolution/v1",
           *       "didDocument": null,
           *       "didResolutionMetadata": {
           *         "contentType": "application/did+ld+json",
           *         "retrieved": "2026-01-31T09:30:05Z",
           *         "did": {
           *           "didString": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "methodSpecificId": "7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "method": "cheqd"
           *         },
           *         "error": "internalError",
           *         "message": "it cannot be determined now; try again in a moment"
           *       },
           *       "didDocumentMetadata": {}
           *     }
           */
          'application/json':
            components['schemas']['DidResolutionResult'] | components['schemas']['DidUrlDereferencingResult']
        }
      }
    }
  }
  'did-resolve-with-options': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description A DID, plain or percent-encoded; `%23` and a fragment name a part of its document */
        did: string
      }
      cookie?: never
    }
    requestBody?: {
      content: {
        /** @example {} */
        'application/json': {
          /** @description Name of a DID-Linked Resource, such as a status list; at most 64 bytes of UTF-8 */
          resourceName?: string
          /** @description Its type; may be omitted if only one type has this name; at most 64 bytes of UTF-8 */
          resourceType?: string
          /** @description Version set by its publisher; at most 64 bytes of UTF-8 */
          resourceVersion?: string
          /**
           * @description The version at that time; aliases: `timestamp`, and `time` in Unix seconds
           * @example 2026-01-31T12:00:00Z
           */
          resourceVersionTime?: string
          /**
           * Format: uuid
           * @description One fixed version
           */
          resourceId?: string
          /** @description Must be the identifier of the DID */
          resourceCollectionId?: string
          /** @description SHA-256 of the content, in hex */
          checksum?: string
          /**
           * @description `true`: return the metadata instead of the content
           * @enum {string}
           */
          resourceMetadata?: 'true' | 'false'
          /**
           * Format: uuid
           * @description A version of the DID document
           */
          versionId?: string
          /**
           * @description The version of the DID document at that time
           * @example 2026-01-31T12:00:00Z
           */
          versionTime?: string
          /**
           * @description Converts the verification methods to this type
           * @enum {string}
           */
          transformKeys?: 'Ed25519VerificationKey2018' | 'Ed25519VerificationKey2020' | 'JsonWebKey2020'
          /** @description Fragment of a service: redirects to its endpoint */
          service?: string
          /** @description Appended to the endpoint of the service */
          relativeRef?: string
          /**
           * @description `true`: return the metadata of the DID document instead
           * @enum {string}
           */
          metadata?: 'true' | 'false'
          /**
           * @description Alias of resourceVersionTime
           * @example 2026-01-31T12:00:00Z
           */
          timestamp?: string
          /** @description Alias of resourceVersionTime, in seconds since 1970 */
          time?: string
          /** @description Alias of the header */
          accept?: string
        }
        /** @example {} */
        'application/did-resolution': {
          /** @description Name of a DID-Linked Resource, such as a status list; at most 64 bytes of UTF-8 */
          resourceName?: string
          /** @description Its type; may be omitted if only one type has this name; at most 64 bytes of UTF-8 */
          resourceType?: string
          /** @description Version set by its publisher; at most 64 bytes of UTF-8 */
          resourceVersion?: string
          /**
           * @description The version at that time; aliases: `timestamp`, and `time` in Unix seconds
           * @example 2026-01-31T12:00:00Z
           */
          resourceVersionTime?: string
          /**
           * Format: uuid
           * @description One fixed version
           */
          resourceId?: string
          /** @description Must be the identifier of the DID */
          resourceCollectionId?: string
          /** @description SHA-256 of the content, in hex */
          checksum?: string
          /**
           * @description `true`: return the metadata instead of the content
           * @enum {string}
           */
          resourceMetadata?: 'true' | 'false'
          /**
           * Format: uuid
           * @description A version of the DID document
           */
          versionId?: string
          /**
           * @description The version of the DID document at that time
           * @example 2026-01-31T12:00:00Z
           */
          versionTime?: string
          /**
           * @description Converts the verification methods to this type
           * @enum {string}
           */
          transformKeys?: 'Ed25519VerificationKey2018' | 'Ed25519VerificationKey2020' | 'JsonWebKey2020'
          /** @description Fragment of a service: redirects to its endpoint */
          service?: string
          /** @description Appended to the endpoint of the service */
          relativeRef?: string
          /**
           * @description `true`: return the metadata of the DID document instead
           * @enum {string}
           */
          metadata?: 'true' | 'false'
          /**
           * @description Alias of resourceVersionTime
           * @example 2026-01-31T12:00:00Z
           */
          timestamp?: string
          /** @description Alias of resourceVersionTime, in seconds since 1970 */
          time?: string
          /** @description Alias of the header */
          accept?: string
        }
        /** @example {} */
        'application/did-url-dereferencing': {
          /** @description Name of a DID-Linked Resource, such as a status list; at most 64 bytes of UTF-8 */
          resourceName?: string
          /** @description Its type; may be omitted if only one type has this name; at most 64 bytes of UTF-8 */
          resourceType?: string
          /** @description Version set by its publisher; at most 64 bytes of UTF-8 */
          resourceVersion?: string
          /**
           * @description The version at that time; aliases: `timestamp`, and `time` in Unix seconds
           * @example 2026-01-31T12:00:00Z
           */
          resourceVersionTime?: string
          /**
           * Format: uuid
           * @description One fixed version
           */
          resourceId?: string
          /** @description Must be the identifier of the DID */
          resourceCollectionId?: string
          /** @description SHA-256 of the content, in hex */
          checksum?: string
          /**
           * @description `true`: return the metadata instead of the content
           * @enum {string}
           */
          resourceMetadata?: 'true' | 'false'
          /**
           * Format: uuid
           * @description A version of the DID document
           */
          versionId?: string
          /**
           * @description The version of the DID document at that time
           * @example 2026-01-31T12:00:00Z
           */
          versionTime?: string
          /**
           * @description Converts the verification methods to this type
           * @enum {string}
           */
          transformKeys?: 'Ed25519VerificationKey2018' | 'Ed25519VerificationKey2020' | 'JsonWebKey2020'
          /** @description Fragment of a service: redirects to its endpoint */
          service?: string
          /** @description Appended to the endpoint of the service */
          relativeRef?: string
          /**
           * @description `true`: return the metadata of the DID document instead
           * @enum {string}
           */
          metadata?: 'true' | 'false'
          /**
           * @description Alias of resourceVersionTime
           * @example 2026-01-31T12:00:00Z
           */
          timestamp?: string
          /** @description Alias of resourceVersionTime, in seconds since 1970 */
          time?: string
          /** @description Alias of the header */
          accept?: string
        }
      }
    }
    responses: {
      /** @description The result, the document, or the content of the resource */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "@context": "https://w3id.org/did-resolution/v1",
           *       "didDocument": {
           *         "@context": [
           *           "https://www.w3.org/ns/did/v1"
           *         ],
           *         "id": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *         "controller": [
           *           "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0"
           *         ]
           *       },
           *       "didResolutionMetadata": {
           *         "contentType": "application/did+ld+json",
           *         "retrieved": "2026-01-31T09:30:05Z",
           *         "did": {
           *           "didString": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "methodSpecificId": "7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "method": "cheqd"
           *         }
           *       },
           *       "didDocumentMetadata": {
           *         "created": "2026-01-31T09:30:00Z",
           *         "versionId": "0b1a6f2c-6f2e-4d5f-8c2a-7c0d3c1c9b60"
           *       }
           *     }
           */
          'application/ld+json;profile="https://w3id.org/did-resolution"':
            components['schemas']['DidResolutionResult'] | components['schemas']['DidUrlDereferencingResult']
          /**
           * @example {
           *       "@context": "https://w3id.org/did-resolution/v1",
           *       "didDocument": {
           *         "@context": [
           *           "https://www.w3.org/ns/did/v1"
           *         ],
           *         "id": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *         "controller": [
           *           "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0"
           *         ]
           *       },
           *       "didResolutionMetadata": {
           *         "contentType": "application/did+ld+json",
           *         "retrieved": "2026-01-31T09:30:05Z",
           *         "did": {
           *           "didString": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "methodSpecificId": "7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "method": "cheqd"
           *         }
           *       },
           *       "didDocumentMetadata": {
           *         "created": "2026-01-31T09:30:00Z",
           *         "versionId": "0b1a6f2c-6f2e-4d5f-8c2a-7c0d3c1c9b60"
           *       }
           *     }
           */
          'application/did-resolution': components['schemas']['DidResolutionResult']
          /**
           * @example {
           *       "@context": [
           *         "https://www.w3.org/ns/did/v1"
           *       ],
           *       "id": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *       "controller": [
           *         "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0"
           *       ]
           *     }
           */
          'application/did+ld+json': components['schemas']['PublishedDidDocument']
          /**
           * @example {
           *       "id": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0"
           *     }
           */
          'application/did+json': components['schemas']['PublishedDidDocument']
          /**
           * @example {
           *       "@context": [
           *         "https://www.w3.org/ns/did/v1"
           *       ],
           *       "id": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *       "controller": [
           *         "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0"
           *       ]
           *     }
           */
          'application/did': components['schemas']['PublishedDidDocument']
          /**
           * @example {
           *       "@context": "https://w3id.org/did-resolution/v1",
           *       "didDocument": {
           *         "@context": [
           *           "https://www.w3.org/ns/did/v1"
           *         ],
           *         "id": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *         "controller": [
           *           "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0"
           *         ]
           *       },
           *       "didResolutionMetadata": {
           *         "contentType": "application/did+ld+json",
           *         "retrieved": "2026-01-31T09:30:05Z",
           *         "did": {
           *           "didString": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "methodSpecificId": "7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "method": "cheqd"
           *         }
           *       },
           *       "didDocumentMetadata": {
           *         "created": "2026-01-31T09:30:00Z",
           *         "versionId": "0b1a6f2c-6f2e-4d5f-8c2a-7c0d3c1c9b60"
           *       }
           *     }
           */
          'application/json': unknown
          'application/octet-stream': unknown
          'text/plain': unknown
          'application/vc+jwt': unknown
        }
      }
      /** @description The DID has a new identifier */
      301: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The endpoint of the service */
      303: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
      /** @description Not modified, according to the entity tag in if-none-match */
      304: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The DID or DID URL is invalid */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "@context": "https://w3id.org/did-resolution/v1",
           *       "didDocument": null,
           *       "didResolutionMetadata": {
           *         "contentType": "application/did+ld+json",
           *         "retrieved": "2026-01-31T09:30:05Z",
           *         "did": {
           *           "didString": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "methodSpecificId": "7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "method": "cheqd"
           *         },
           *         "error": "invalidDid",
           *         "message": "it does not begin with a DID"
           *       },
           *       "didDocumentMetadata": {}
           *     }
           */
          'application/json':
            components['schemas']['DidResolutionResult'] | components['schemas']['DidUrlDereferencingResult']
        }
      }
      /** @description Not found */
      404: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "@context": "https://w3id.org/did-resolution/v1",
           *       "didDocument": null,
           *       "didResolutionMetadata": {
           *         "contentType": "application/did+ld+json",
           *         "retrieved": "2026-01-31T09:30:05Z",
           *         "did": {
           *           "didString": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "methodSpecificId": "7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "method": "cheqd"
           *         },
           *         "error": "notFound",
           *         "message": "the DID or version does not exist on the ledger"
           *       },
           *       "didDocumentMetadata": {}
           *     }
           */
          'application/json':
            components['schemas']['DidResolutionResult'] | components['schemas']['DidUrlDereferencingResult']
        }
      }
      405: components['responses']['MethodNotAllowed']
      /** @description The representation is not available */
      406: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "@context": "https://w3id.org/did-resolution/v1",
           *       "didDocument": null,
           *       "didResolutionMetadata": {
           *         "contentType": "application/did+ld+json",
           *         "retrieved": "2026-01-31T09:30:05Z",
           *         "did": {
           *           "didString": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "methodSpecificId": "7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "method": "cheqd"
           *         },
           *         "error": "representationNotSupported",
           *         "message": "its media type is text/plain"
           *       },
           *       "didDocumentMetadata": {}
           *     }
           */
          'application/json':
            components['schemas']['DidResolutionResult'] | components['schemas']['DidUrlDereferencingResult']
        }
      }
      408: components['responses']['TooSlow']
      /** @description The DID is deactivated; the body is the same as with 200 */
      410: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "@context": "https://w3id.org/did-resolution/v1",
           *       "didDocument": {
           *         "@context": [
           *           "https://www.w3.org/ns/did/v1"
           *         ],
           *         "id": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *         "controller": [
           *           "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0"
           *         ]
           *       },
           *       "didResolutionMetadata": {
           *         "contentType": "application/did+ld+json",
           *         "retrieved": "2026-01-31T09:30:05Z",
           *         "did": {
           *           "didString": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "methodSpecificId": "7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "method": "cheqd"
           *         }
           *       },
           *       "didDocumentMetadata": {
           *         "created": "2026-01-31T09:30:00Z",
           *         "versionId": "0b1a6f2c-6f2e-4d5f-8c2a-7c0d3c1c9b60",
           *         "deactivated": true
           *       }
           *     }
           */
          'application/ld+json;profile="https://w3id.org/did-resolution"': components['schemas']['DidResolutionResult']
          'application/did-resolution': components['schemas']['DidResolutionResult']
          'application/json': components['schemas']['DidResolutionResult']
          /**
           * @example {
           *       "@context": [
           *         "https://www.w3.org/ns/did/v1"
           *       ],
           *       "id": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *       "controller": [
           *         "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0"
           *       ]
           *     }
           */
          'application/did+ld+json': components['schemas']['PublishedDidDocument']
          'application/did+json': components['schemas']['PublishedDidDocument']
          'application/did': components['schemas']['PublishedDidDocument']
        }
      }
      /** @description The body is too large */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "@context": "https://w3id.org/did-resolution/v1",
           *       "didDocument": null,
           *       "didResolutionMetadata": {
           *         "contentType": "application/did+ld+json",
           *         "retrieved": "2026-01-31T09:30:05Z",
           *         "did": {
           *           "didString": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "methodSpecificId": "7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "method": "cheqd"
           *         },
           *         "error": "invalidOptions",
           *         "message": "the body is larger than the limit of 4096 bytes"
           *       },
           *       "didDocumentMetadata": {}
           *     }
           */
          'application/json':
            components['schemas']['DidResolutionResult'] | components['schemas']['DidUrlDereferencingResult']
        }
      }
      /** @description The content type of the body is not supported */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "@context": "https://w3id.org/did-resolution/v1",
           *       "didDocument": null,
           *       "didResolutionMetadata": {
           *         "contentType": "application/did+ld+json",
           *         "retrieved": "2026-01-31T09:30:05Z",
           *         "did": {
           *           "didString": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "methodSpecificId": "7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "method": "cheqd"
           *         },
           *         "error": "invalidOptions",
           *         "message": "content-type: must be application/json"
           *       },
           *       "didDocumentMetadata": {}
           *     }
           */
          'application/json':
            components['schemas']['DidResolutionResult'] | components['schemas']['DidUrlDereferencingResult']
        }
      }
      429: components['responses']['TooManyRequests']
      /** @description Internal error */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "@context": "https://w3id.org/did-resolution/v1",
           *       "didDocument": null,
           *       "didResolutionMetadata": {
           *         "contentType": "application/did+ld+json",
           *         "retrieved": "2026-01-31T09:30:05Z",
           *         "did": {
           *           "didString": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "methodSpecificId": "7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "method": "cheqd"
           *         },
           *         "error": "internalError",
           *         "message": "internal error"
           *       },
           *       "didDocumentMetadata": {}
           *     }
           */
          'application/json':
            components['schemas']['DidResolutionResult'] | components['schemas']['DidUrlDereferencingResult']
        }
      }
      /** @description This DID method, or the type of the key of the DID, is not supported here */
      501: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "@context": "https://w3id.org/did-resolution/v1",
           *       "didDocument": null,
           *       "didResolutionMetadata": {
           *         "contentType": "application/did+ld+json",
           *         "retrieved": "2026-01-31T09:30:05Z",
           *         "did": {
           *           "didString": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "methodSpecificId": "7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "method": "cheqd"
           *         },
           *         "error": "methodNotSupported",
           *         "message": "did:web is not resolved publicly here"
           *       },
           *       "didDocumentMetadata": {}
           *     }
           */
          'application/json':
            components['schemas']['DidResolutionResult'] | components['schemas']['DidUrlDereferencingResult']
        }
      }
      /** @description It cannot be determined now */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "@context": "https://w3id.org/did-resolution/v1",
           *       "didDocument": null,
           *       "didResolutionMetadata": {
           *         "contentType": "application/did+ld+json",
           *         "retrieved": "2026-01-31T09:30:05Z",
           *         "did": {
           *           "didString": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "methodSpecificId": "7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "method": "cheqd"
           *         },
           *         "error": "internalError",
           *         "message": "it cannot be determined now; try again in a moment"
           *       },
           *       "didDocumentMetadata": {}
           *     }
           */
          'application/json':
            components['schemas']['DidResolutionResult'] | components['schemas']['DidUrlDereferencingResult']
        }
      }
    }
  }
  'resource-read': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description A DID, plain or percent-encoded; `%23` and a fragment name a part of its document */
        did: string
        /** @description Of the version */
        resourceId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Its content */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "@context": "https://w3id.org/did-resolution/v1",
           *       "dereferencingMetadata": {
           *         "contentType": "application/did+ld+json",
           *         "retrieved": "2026-01-31T09:30:05Z",
           *         "did": {
           *           "didString": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "methodSpecificId": "7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "method": "cheqd"
           *         }
           *       },
           *       "contentStream": {},
           *       "contentMetadata": {
           *         "resourceURI": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0/resources/5e16a3f9-7c6e-4b6b-8e28-20f56780ee25",
           *         "resourceCollectionId": "7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *         "resourceId": "5e16a3f9-7c6e-4b6b-8e28-20f56780ee25",
           *         "resourceName": "my-list",
           *         "resourceType": "StatusList2021Revocation",
           *         "mediaType": "application/json",
           *         "resourceVersion": "2",
           *         "created": "2026-01-31T09:30:00Z",
           *         "checksum": "909e22e371a41afbb96c330a97752cf7c8856088f1f937f87decbef06cbe9ca2",
           *         "previousVersionId": "e66a9416-d03e-4ced-95e3-07af16e25bc5",
           *         "nextVersionId": null
           *       }
           *     }
           */
          'application/ld+json;profile="https://w3id.org/did-url-dereferencing"': components['schemas']['DidUrlDereferencingResult']
          /** @example {} */
          'application/json': unknown
          'application/octet-stream': unknown
          'text/plain': unknown
          'application/vc+jwt': unknown
        }
      }
      /** @description Not modified, according to the entity tag in if-none-match */
      304: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The DID or DID URL is invalid */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "@context": "https://w3id.org/did-resolution/v1",
           *       "didDocument": null,
           *       "didResolutionMetadata": {
           *         "contentType": "application/did+ld+json",
           *         "retrieved": "2026-01-31T09:30:05Z",
           *         "did": {
           *           "didString": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "methodSpecificId": "7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "method": "cheqd"
           *         },
           *         "error": "invalidDid",
           *         "message": "it does not begin with a DID"
           *       },
           *       "didDocumentMetadata": {}
           *     }
           */
          'application/json':
            components['schemas']['DidResolutionResult'] | components['schemas']['DidUrlDereferencingResult']
        }
      }
      /** @description Not found */
      404: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "@context": "https://w3id.org/did-resolution/v1",
           *       "didDocument": null,
           *       "didResolutionMetadata": {
           *         "contentType": "application/did+ld+json",
           *         "retrieved": "2026-01-31T09:30:05Z",
           *         "did": {
           *           "didString": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "methodSpecificId": "7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "method": "cheqd"
           *         },
           *         "error": "notFound",
           *         "message": "the DID or version does not exist on the ledger"
           *       },
           *       "didDocumentMetadata": {}
           *     }
           */
          'application/json':
            components['schemas']['DidResolutionResult'] | components['schemas']['DidUrlDereferencingResult']
        }
      }
      405: components['responses']['MethodNotAllowed']
      /** @description The representation is not available */
      406: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "@context": "https://w3id.org/did-resolution/v1",
           *       "didDocument": null,
           *       "didResolutionMetadata": {
           *         "contentType": "application/did+ld+json",
           *         "retrieved": "2026-01-31T09:30:05Z",
           *         "did": {
           *           "didString": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "methodSpecificId": "7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "method": "cheqd"
           *         },
           *         "error": "representationNotSupported",
           *         "message": "its media type is text/plain"
           *       },
           *       "didDocumentMetadata": {}
           *     }
           */
          'application/json':
            components['schemas']['DidResolutionResult'] | components['schemas']['DidUrlDereferencingResult']
        }
      }
      408: components['responses']['TooSlow']
      429: components['responses']['TooManyRequests']
      /** @description Internal error */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "@context": "https://w3id.org/did-resolution/v1",
           *       "didDocument": null,
           *       "didResolutionMetadata": {
           *         "contentType": "application/did+ld+json",
           *         "retrieved": "2026-01-31T09:30:05Z",
           *         "did": {
           *           "didString": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "methodSpecificId": "7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "method": "cheqd"
           *         },
           *         "error": "internalError",
           *         "message": "internal error"
           *       },
           *       "didDocumentMetadata": {}
           *     }
           */
          'application/json':
            components['schemas']['DidResolutionResult'] | components['schemas']['DidUrlDereferencingResult']
        }
      }
      /** @description This DID method, or the type of the key of the DID, is not supported here */
      501: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "@context": "https://w3id.org/did-resolution/v1",
           *       "didDocument": null,
           *       "didResolutionMetadata": {
           *         "contentType": "application/did+ld+json",
           *         "retrieved": "2026-01-31T09:30:05Z",
           *         "did": {
           *           "didString": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "methodSpecificId": "7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "method": "cheqd"
           *         },
           *         "error": "methodNotSupported",
           *         "message": "did:web is not resolved publicly here"
           *       },
           *       "didDocumentMetadata": {}
           *     }
           */
          'application/json':
            components['schemas']['DidResolutionResult'] | components['schemas']['DidUrlDereferencingResult']
        }
      }
      /** @description It cannot be determined now */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "@context": "https://w3id.org/did-resolution/v1",
           *       "didDocument": null,
           *       "didResolutionMetadata": {
           *         "contentType": "application/did+ld+json",
           *         "retrieved": "2026-01-31T09:30:05Z",
           *         "did": {
           *           "didString": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "methodSpecificId": "7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "method": "cheqd"
           *         },
           *         "error": "internalError",
           *         "message": "it cannot be determined now; try again in a moment"
           *       },
           *       "didDocumentMetadata": {}
           *     }
           */
          'application/json':
            components['schemas']['DidResolutionResult'] | components['schemas']['DidUrlDereferencingResult']
        }
      }
    }
  }
  'resource-metadata': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description A DID, plain or percent-encoded; `%23` and a fragment name a part of its document */
        did: string
        /** @description Of the version */
        resourceId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The metadata */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "@context": "https://w3id.org/did-resolution/v1",
           *       "dereferencingMetadata": {
           *         "contentType": "application/did+ld+json",
           *         "retrieved": "2026-01-31T09:30:05Z",
           *         "did": {
           *           "didString": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "methodSpecificId": "7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "method": "cheqd"
           *         }
           *       },
           *       "contentStream": null,
           *       "contentMetadata": {
           *         "resourceURI": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0/resources/5e16a3f9-7c6e-4b6b-8e28-20f56780ee25",
           *         "resourceCollectionId": "7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *         "resourceId": "5e16a3f9-7c6e-4b6b-8e28-20f56780ee25",
           *         "resourceName": "my-list",
           *         "resourceType": "StatusList2021Revocation",
           *         "mediaType": "application/json",
           *         "resourceVersion": "2",
           *         "created": "2026-01-31T09:30:00Z",
           *         "checksum": "909e22e371a41afbb96c330a97752cf7c8856088f1f937f87decbef06cbe9ca2",
           *         "previousVersionId": "e66a9416-d03e-4ced-95e3-07af16e25bc5",
           *         "nextVersionId": null
           *       }
           *     }
           */
          'application/json': components['schemas']['DidUrlDereferencingResult']
          /**
           * @example {
           *       "@context": "https://w3id.org/did-resolution/v1",
           *       "dereferencingMetadata": {
           *         "contentType": "application/did+ld+json",
           *         "retrieved": "2026-01-31T09:30:05Z",
           *         "did": {
           *           "didString": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "methodSpecificId": "7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "method": "cheqd"
           *         }
           *       },
           *       "contentStream": null,
           *       "contentMetadata": {
           *         "resourceURI": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0/resources/5e16a3f9-7c6e-4b6b-8e28-20f56780ee25",
           *         "resourceCollectionId": "7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *         "resourceId": "5e16a3f9-7c6e-4b6b-8e28-20f56780ee25",
           *         "resourceName": "my-list",
           *         "resourceType": "StatusList2021Revocation",
           *         "mediaType": "application/json",
           *         "resourceVersion": "2",
           *         "created": "2026-01-31T09:30:00Z",
           *         "checksum": "909e22e371a41afbb96c330a97752cf7c8856088f1f937f87decbef06cbe9ca2",
           *         "previousVersionId": "e66a9416-d03e-4ced-95e3-07af16e25bc5",
           *         "nextVersionId": null
           *       }
           *     }
           */
          'application/ld+json;profile="https://w3id.org/did-resolution"': components['schemas']['DidUrlDereferencingResult']
        }
      }
      /** @description The DID or DID URL is invalid */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "@context": "https://w3id.org/did-resolution/v1",
           *       "didDocument": null,
           *       "didResolutionMetadata": {
           *         "contentType": "application/did+ld+json",
           *         "retrieved": "2026-01-31T09:30:05Z",
           *         "did": {
           *           "didString": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "methodSpecificId": "7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "method": "cheqd"
           *         },
           *         "error": "invalidDid",
           *         "message": "it does not begin with a DID"
           *       },
           *       "didDocumentMetadata": {}
           *     }
           */
          'application/json':
            components['schemas']['DidResolutionResult'] | components['schemas']['DidUrlDereferencingResult']
        }
      }
      /** @description Not found */
      404: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "@context": "https://w3id.org/did-resolution/v1",
           *       "didDocument": null,
           *       "didResolutionMetadata": {
           *         "contentType": "application/did+ld+json",
           *         "retrieved": "2026-01-31T09:30:05Z",
           *         "did": {
           *           "didString": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "methodSpecificId": "7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "method": "cheqd"
           *         },
           *         "error": "notFound",
           *         "message": "the DID or version does not exist on the ledger"
           *       },
           *       "didDocumentMetadata": {}
           *     }
           */
          'application/json':
            components['schemas']['DidResolutionResult'] | components['schemas']['DidUrlDereferencingResult']
        }
      }
      405: components['responses']['MethodNotAllowed']
      /** @description The representation is not available */
      406: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "@context": "https://w3id.org/did-resolution/v1",
           *       "didDocument": null,
           *       "didResolutionMetadata": {
           *         "contentType": "application/did+ld+json",
           *         "retrieved": "2026-01-31T09:30:05Z",
           *         "did": {
           *           "didString": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "methodSpecificId": "7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "method": "cheqd"
           *         },
           *         "error": "representationNotSupported",
           *         "message": "its media type is text/plain"
           *       },
           *       "didDocumentMetadata": {}
           *     }
           */
          'application/json':
            components['schemas']['DidResolutionResult'] | components['schemas']['DidUrlDereferencingResult']
        }
      }
      408: components['responses']['TooSlow']
      429: components['responses']['TooManyRequests']
      /** @description Internal error */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "@context": "https://w3id.org/did-resolution/v1",
           *       "didDocument": null,
           *       "didResolutionMetadata": {
           *         "contentType": "application/did+ld+json",
           *         "retrieved": "2026-01-31T09:30:05Z",
           *         "did": {
           *           "didString": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "methodSpecificId": "7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "method": "cheqd"
           *         },
           *         "error": "internalError",
           *         "message": "internal error"
           *       },
           *       "didDocumentMetadata": {}
           *     }
           */
          'application/json':
            components['schemas']['DidResolutionResult'] | components['schemas']['DidUrlDereferencingResult']
        }
      }
      /** @description This DID method, or the type of the key of the DID, is not supported here */
      501: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "@context": "https://w3id.org/did-resolution/v1",
           *       "didDocument": null,
           *       "didResolutionMetadata": {
           *         "contentType": "application/did+ld+json",
           *         "retrieved": "2026-01-31T09:30:05Z",
           *         "did": {
           *           "didString": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "methodSpecificId": "7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "method": "cheqd"
           *         },
           *         "error": "methodNotSupported",
           *         "message": "did:web is not resolved publicly here"
           *       },
           *       "didDocumentMetadata": {}
           *     }
           */
          'application/json':
            components['schemas']['DidResolutionResult'] | components['schemas']['DidUrlDereferencingResult']
        }
      }
      /** @description It cannot be determined now */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "@context": "https://w3id.org/did-resolution/v1",
           *       "didDocument": null,
           *       "didResolutionMetadata": {
           *         "contentType": "application/did+ld+json",
           *         "retrieved": "2026-01-31T09:30:05Z",
           *         "did": {
           *           "didString": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "methodSpecificId": "7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "method": "cheqd"
           *         },
           *         "error": "internalError",
           *         "message": "it cannot be determined now; try again in a moment"
           *       },
           *       "didDocumentMetadata": {}
           *     }
           */
          'application/json':
            components['schemas']['DidResolutionResult'] | components['schemas']['DidUrlDereferencingResult']
        }
      }
    }
  }
  'did-version': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description A DID, plain or percent-encoded; `%23` and a fragment name a part of its document */
        did: string
        /** @description Of the version */
        versionId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The result, or the document */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "@context": "https://w3id.org/did-resolution/v1",
           *       "didDocument": {
           *         "@context": [
           *           "https://www.w3.org/ns/did/v1"
           *         ],
           *         "id": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *         "controller": [
           *           "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0"
           *         ]
           *       },
           *       "didResolutionMetadata": {
           *         "contentType": "application/did+ld+json",
           *         "retrieved": "2026-01-31T09:30:05Z",
           *         "did": {
           *           "didString": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "methodSpecificId": "7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "method": "cheqd"
           *         }
           *       },
           *       "didDocumentMetadata": {
           *         "created": "2026-01-31T09:30:00Z",
           *         "versionId": "0b1a6f2c-6f2e-4d5f-8c2a-7c0d3c1c9b60"
           *       }
           *     }
           */
          'application/ld+json;profile="https://w3id.org/did-resolution"': components['schemas']['DidResolutionResult']
          /**
           * @example {
           *       "@context": "https://w3id.org/did-resolution/v1",
           *       "didDocument": {
           *         "@context": [
           *           "https://www.w3.org/ns/did/v1"
           *         ],
           *         "id": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *         "controller": [
           *           "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0"
           *         ]
           *       },
           *       "didResolutionMetadata": {
           *         "contentType": "application/did+ld+json",
           *         "retrieved": "2026-01-31T09:30:05Z",
           *         "did": {
           *           "didString": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "methodSpecificId": "7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "method": "cheqd"
           *         }
           *       },
           *       "didDocumentMetadata": {
           *         "created": "2026-01-31T09:30:00Z",
           *         "versionId": "0b1a6f2c-6f2e-4d5f-8c2a-7c0d3c1c9b60"
           *       }
           *     }
           */
          'application/json': components['schemas']['DidResolutionResult']
          /**
           * @example {
           *       "@context": [
           *         "https://www.w3.org/ns/did/v1"
           *       ],
           *       "id": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *       "controller": [
           *         "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0"
           *       ]
           *     }
           */
          'application/did+ld+json': components['schemas']['PublishedDidDocument']
        }
      }
      /** @description Not modified, according to the entity tag in if-none-match */
      304: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The DID or DID URL is invalid */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "@context": "https://w3id.org/did-resolution/v1",
           *       "didDocument": null,
           *       "didResolutionMetadata": {
           *         "contentType": "application/did+ld+json",
           *         "retrieved": "2026-01-31T09:30:05Z",
           *         "did": {
           *           "didString": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "methodSpecificId": "7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "method": "cheqd"
           *         },
           *         "error": "invalidDid",
           *         "message": "it does not begin with a DID"
           *       },
           *       "didDocumentMetadata": {}
           *     }
           */
          'application/json':
            components['schemas']['DidResolutionResult'] | components['schemas']['DidUrlDereferencingResult']
        }
      }
      /** @description Not found */
      404: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "@context": "https://w3id.org/did-resolution/v1",
           *       "didDocument": null,
           *       "didResolutionMetadata": {
           *         "contentType": "application/did+ld+json",
           *         "retrieved": "2026-01-31T09:30:05Z",
           *         "did": {
           *           "didString": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "methodSpecificId": "7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "method": "cheqd"
           *         },
           *         "error": "notFound",
           *         "message": "the DID or version does not exist on the ledger"
           *       },
           *       "didDocumentMetadata": {}
           *     }
           */
          'application/json':
            components['schemas']['DidResolutionResult'] | components['schemas']['DidUrlDereferencingResult']
        }
      }
      405: components['responses']['MethodNotAllowed']
      /** @description The representation is not available */
      406: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "@context": "https://w3id.org/did-resolution/v1",
           *       "didDocument": null,
           *       "didResolutionMetadata": {
           *         "contentType": "application/did+ld+json",
           *         "retrieved": "2026-01-31T09:30:05Z",
           *         "did": {
           *           "didString": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "methodSpecificId": "7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "method": "cheqd"
           *         },
           *         "error": "representationNotSupported",
           *         "message": "its media type is text/plain"
           *       },
           *       "didDocumentMetadata": {}
           *     }
           */
          'application/json':
            components['schemas']['DidResolutionResult'] | components['schemas']['DidUrlDereferencingResult']
        }
      }
      408: components['responses']['TooSlow']
      /** @description The DID is deactivated; the body is the same as with 200 */
      410: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "@context": "https://w3id.org/did-resolution/v1",
           *       "didDocument": {
           *         "@context": [
           *           "https://www.w3.org/ns/did/v1"
           *         ],
           *         "id": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *         "controller": [
           *           "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0"
           *         ]
           *       },
           *       "didResolutionMetadata": {
           *         "contentType": "application/did+ld+json",
           *         "retrieved": "2026-01-31T09:30:05Z",
           *         "did": {
           *           "didString": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "methodSpecificId": "7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "method": "cheqd"
           *         }
           *       },
           *       "didDocumentMetadata": {
           *         "created": "2026-01-31T09:30:00Z",
           *         "versionId": "0b1a6f2c-6f2e-4d5f-8c2a-7c0d3c1c9b60",
           *         "deactivated": true
           *       }
           *     }
           */
          'application/ld+json;profile="https://w3id.org/did-resolution"': components['schemas']['DidResolutionResult']
          'application/did-resolution': components['schemas']['DidResolutionResult']
          'application/json': components['schemas']['DidResolutionResult']
          /**
           * @example {
           *       "@context": [
           *         "https://www.w3.org/ns/did/v1"
           *       ],
           *       "id": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *       "controller": [
           *         "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0"
           *       ]
           *     }
           */
          'application/did+ld+json': components['schemas']['PublishedDidDocument']
          'application/did+json': components['schemas']['PublishedDidDocument']
          'application/did': components['schemas']['PublishedDidDocument']
        }
      }
      429: components['responses']['TooManyRequests']
      /** @description Internal error */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "@context": "https://w3id.org/did-resolution/v1",
           *       "didDocument": null,
           *       "didResolutionMetadata": {
           *         "contentType": "application/did+ld+json",
           *         "retrieved": "2026-01-31T09:30:05Z",
           *         "did": {
           *           "didString": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "methodSpecificId": "7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "method": "cheqd"
           *         },
           *         "error": "internalError",
           *         "message": "internal error"
           *       },
           *       "didDocumentMetadata": {}
           *     }
           */
          'application/json':
            components['schemas']['DidResolutionResult'] | components['schemas']['DidUrlDereferencingResult']
        }
      }
      /** @description This DID method, or the type of the key of the DID, is not supported here */
      501: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "@context": "https://w3id.org/did-resolution/v1",
           *       "didDocument": null,
           *       "didResolutionMetadata": {
           *         "contentType": "application/did+ld+json",
           *         "retrieved": "2026-01-31T09:30:05Z",
           *         "did": {
           *           "didString": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "methodSpecificId": "7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "method": "cheqd"
           *         },
           *         "error": "methodNotSupported",
           *         "message": "did:web is not resolved publicly here"
           *       },
           *       "didDocumentMetadata": {}
           *     }
           */
          'application/json':
            components['schemas']['DidResolutionResult'] | components['schemas']['DidUrlDereferencingResult']
        }
      }
      /** @description It cannot be determined now */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "@context": "https://w3id.org/did-resolution/v1",
           *       "didDocument": null,
           *       "didResolutionMetadata": {
           *         "contentType": "application/did+ld+json",
           *         "retrieved": "2026-01-31T09:30:05Z",
           *         "did": {
           *           "didString": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "methodSpecificId": "7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "method": "cheqd"
           *         },
           *         "error": "internalError",
           *         "message": "it cannot be determined now; try again in a moment"
           *       },
           *       "didDocumentMetadata": {}
           *     }
           */
          'application/json':
            components['schemas']['DidResolutionResult'] | components['schemas']['DidUrlDereferencingResult']
        }
      }
    }
  }
  'did-version-metadata': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description A DID, plain or percent-encoded; `%23` and a fragment name a part of its document */
        did: string
        /** @description Of the version */
        versionId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The metadata */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "@context": "https://w3id.org/did-resolution/v1",
           *       "dereferencingMetadata": {
           *         "contentType": "application/did+ld+json",
           *         "retrieved": "2026-01-31T09:30:05Z",
           *         "did": {
           *           "didString": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "methodSpecificId": "7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "method": "cheqd"
           *         }
           *       },
           *       "contentStream": {
           *         "created": "2026-01-31T09:30:00Z",
           *         "versionId": "0b1a6f2c-6f2e-4d5f-8c2a-7c0d3c1c9b60"
           *       },
           *       "contentMetadata": {}
           *     }
           */
          'application/json': components['schemas']['DidUrlDereferencingResult']
          /**
           * @example {
           *       "@context": "https://w3id.org/did-resolution/v1",
           *       "dereferencingMetadata": {
           *         "contentType": "application/did+ld+json",
           *         "retrieved": "2026-01-31T09:30:05Z",
           *         "did": {
           *           "didString": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "methodSpecificId": "7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "method": "cheqd"
           *         }
           *       },
           *       "contentStream": {
           *         "created": "2026-01-31T09:30:00Z",
           *         "versionId": "0b1a6f2c-6f2e-4d5f-8c2a-7c0d3c1c9b60"
           *       },
           *       "contentMetadata": {}
           *     }
           */
          'application/ld+json;profile="https://w3id.org/did-resolution"': components['schemas']['DidUrlDereferencingResult']
        }
      }
      /** @description The DID or DID URL is invalid */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "@context": "https://w3id.org/did-resolution/v1",
           *       "didDocument": null,
           *       "didResolutionMetadata": {
           *         "contentType": "application/did+ld+json",
           *         "retrieved": "2026-01-31T09:30:05Z",
           *         "did": {
           *           "didString": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "methodSpecificId": "7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "method": "cheqd"
           *         },
           *         "error": "invalidDid",
           *         "message": "it does not begin with a DID"
           *       },
           *       "didDocumentMetadata": {}
           *     }
           */
          'application/json':
            components['schemas']['DidResolutionResult'] | components['schemas']['DidUrlDereferencingResult']
        }
      }
      /** @description Not found */
      404: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "@context": "https://w3id.org/did-resolution/v1",
           *       "didDocument": null,
           *       "didResolutionMetadata": {
           *         "contentType": "application/did+ld+json",
           *         "retrieved": "2026-01-31T09:30:05Z",
           *         "did": {
           *           "didString": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "methodSpecificId": "7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "method": "cheqd"
           *         },
           *         "error": "notFound",
           *         "message": "the DID or version does not exist on the ledger"
           *       },
           *       "didDocumentMetadata": {}
           *     }
           */
          'application/json':
            components['schemas']['DidResolutionResult'] | components['schemas']['DidUrlDereferencingResult']
        }
      }
      405: components['responses']['MethodNotAllowed']
      /** @description The representation is not available */
      406: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "@context": "https://w3id.org/did-resolution/v1",
           *       "didDocument": null,
           *       "didResolutionMetadata": {
           *         "contentType": "application/did+ld+json",
           *         "retrieved": "2026-01-31T09:30:05Z",
           *         "did": {
           *           "didString": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "methodSpecificId": "7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "method": "cheqd"
           *         },
           *         "error": "representationNotSupported",
           *         "message": "its media type is text/plain"
           *       },
           *       "didDocumentMetadata": {}
           *     }
           */
          'application/json':
            components['schemas']['DidResolutionResult'] | components['schemas']['DidUrlDereferencingResult']
        }
      }
      408: components['responses']['TooSlow']
      429: components['responses']['TooManyRequests']
      /** @description Internal error */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "@context": "https://w3id.org/did-resolution/v1",
           *       "didDocument": null,
           *       "didResolutionMetadata": {
           *         "contentType": "application/did+ld+json",
           *         "retrieved": "2026-01-31T09:30:05Z",
           *         "did": {
           *           "didString": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "methodSpecificId": "7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "method": "cheqd"
           *         },
           *         "error": "internalError",
           *         "message": "internal error"
           *       },
           *       "didDocumentMetadata": {}
           *     }
           */
          'application/json':
            components['schemas']['DidResolutionResult'] | components['schemas']['DidUrlDereferencingResult']
        }
      }
      /** @description This DID method, or the type of the key of the DID, is not supported here */
      501: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "@context": "https://w3id.org/did-resolution/v1",
           *       "didDocument": null,
           *       "didResolutionMetadata": {
           *         "contentType": "application/did+ld+json",
           *         "retrieved": "2026-01-31T09:30:05Z",
           *         "did": {
           *           "didString": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "methodSpecificId": "7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "method": "cheqd"
           *         },
           *         "error": "methodNotSupported",
           *         "message": "did:web is not resolved publicly here"
           *       },
           *       "didDocumentMetadata": {}
           *     }
           */
          'application/json':
            components['schemas']['DidResolutionResult'] | components['schemas']['DidUrlDereferencingResult']
        }
      }
      /** @description It cannot be determined now */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "@context": "https://w3id.org/did-resolution/v1",
           *       "didDocument": null,
           *       "didResolutionMetadata": {
           *         "contentType": "application/did+ld+json",
           *         "retrieved": "2026-01-31T09:30:05Z",
           *         "did": {
           *           "didString": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "methodSpecificId": "7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "method": "cheqd"
           *         },
           *         "error": "internalError",
           *         "message": "it cannot be determined now; try again in a moment"
           *       },
           *       "didDocumentMetadata": {}
           *     }
           */
          'application/json':
            components['schemas']['DidResolutionResult'] | components['schemas']['DidUrlDereferencingResult']
        }
      }
    }
  }
  'did-versions': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description A DID, plain or percent-encoded; `%23` and a fragment name a part of its document */
        did: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The metadata */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "@context": "https://w3id.org/did-resolution/v1",
           *       "dereferencingMetadata": {
           *         "contentType": "application/did+ld+json",
           *         "retrieved": "2026-01-31T09:30:05Z",
           *         "did": {
           *           "didString": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "methodSpecificId": "7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "method": "cheqd"
           *         }
           *       },
           *       "contentStream": {
           *         "versions": [
           *           {
           *             "created": "2026-01-31T09:30:00Z",
           *             "versionId": "0b1a6f2c-6f2e-4d5f-8c2a-7c0d3c1c9b60"
           *           }
           *         ]
           *       },
           *       "contentMetadata": {}
           *     }
           */
          'application/json': components['schemas']['DidUrlDereferencingResult']
          /**
           * @example {
           *       "@context": "https://w3id.org/did-resolution/v1",
           *       "dereferencingMetadata": {
           *         "contentType": "application/did+ld+json",
           *         "retrieved": "2026-01-31T09:30:05Z",
           *         "did": {
           *           "didString": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "methodSpecificId": "7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "method": "cheqd"
           *         }
           *       },
           *       "contentStream": {
           *         "versions": [
           *           {
           *             "created": "2026-01-31T09:30:00Z",
           *             "versionId": "0b1a6f2c-6f2e-4d5f-8c2a-7c0d3c1c9b60"
           *           }
           *         ]
           *       },
           *       "contentMetadata": {}
           *     }
           */
          'application/ld+json;profile="https://w3id.org/did-resolution"': components['schemas']['DidUrlDereferencingResult']
        }
      }
      /** @description The DID or DID URL is invalid */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "@context": "https://w3id.org/did-resolution/v1",
           *       "didDocument": null,
           *       "didResolutionMetadata": {
           *         "contentType": "application/did+ld+json",
           *         "retrieved": "2026-01-31T09:30:05Z",
           *         "did": {
           *           "didString": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "methodSpecificId": "7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "method": "cheqd"
           *         },
           *         "error": "invalidDid",
           *         "message": "it does not begin with a DID"
           *       },
           *       "didDocumentMetadata": {}
           *     }
           */
          'application/json':
            components['schemas']['DidResolutionResult'] | components['schemas']['DidUrlDereferencingResult']
        }
      }
      /** @description Not found */
      404: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "@context": "https://w3id.org/did-resolution/v1",
           *       "didDocument": null,
           *       "didResolutionMetadata": {
           *         "contentType": "application/did+ld+json",
           *         "retrieved": "2026-01-31T09:30:05Z",
           *         "did": {
           *           "didString": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "methodSpecificId": "7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "method": "cheqd"
           *         },
           *         "error": "notFound",
           *         "message": "the DID or version does not exist on the ledger"
           *       },
           *       "didDocumentMetadata": {}
           *     }
           */
          'application/json':
            components['schemas']['DidResolutionResult'] | components['schemas']['DidUrlDereferencingResult']
        }
      }
      405: components['responses']['MethodNotAllowed']
      /** @description The representation is not available */
      406: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "@context": "https://w3id.org/did-resolution/v1",
           *       "didDocument": null,
           *       "didResolutionMetadata": {
           *         "contentType": "application/did+ld+json",
           *         "retrieved": "2026-01-31T09:30:05Z",
           *         "did": {
           *           "didString": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "methodSpecificId": "7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "method": "cheqd"
           *         },
           *         "error": "representationNotSupported",
           *         "message": "its media type is text/plain"
           *       },
           *       "didDocumentMetadata": {}
           *     }
           */
          'application/json':
            components['schemas']['DidResolutionResult'] | components['schemas']['DidUrlDereferencingResult']
        }
      }
      408: components['responses']['TooSlow']
      429: components['responses']['TooManyRequests']
      /** @description Internal error */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "@context": "https://w3id.org/did-resolution/v1",
           *       "didDocument": null,
           *       "didResolutionMetadata": {
           *         "contentType": "application/did+ld+json",
           *         "retrieved": "2026-01-31T09:30:05Z",
           *         "did": {
           *           "didString": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "methodSpecificId": "7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "method": "cheqd"
           *         },
           *         "error": "internalError",
           *         "message": "internal error"
           *       },
           *       "didDocumentMetadata": {}
           *     }
           */
          'application/json':
            components['schemas']['DidResolutionResult'] | components['schemas']['DidUrlDereferencingResult']
        }
      }
      /** @description This DID method, or the type of the key of the DID, is not supported here */
      501: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "@context": "https://w3id.org/did-resolution/v1",
           *       "didDocument": null,
           *       "didResolutionMetadata": {
           *         "contentType": "application/did+ld+json",
           *         "retrieved": "2026-01-31T09:30:05Z",
           *         "did": {
           *           "didString": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "methodSpecificId": "7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "method": "cheqd"
           *         },
           *         "error": "methodNotSupported",
           *         "message": "did:web is not resolved publicly here"
           *       },
           *       "didDocumentMetadata": {}
           *     }
           */
          'application/json':
            components['schemas']['DidResolutionResult'] | components['schemas']['DidUrlDereferencingResult']
        }
      }
      /** @description It cannot be determined now */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "@context": "https://w3id.org/did-resolution/v1",
           *       "didDocument": null,
           *       "didResolutionMetadata": {
           *         "contentType": "application/did+ld+json",
           *         "retrieved": "2026-01-31T09:30:05Z",
           *         "did": {
           *           "didString": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "methodSpecificId": "7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "method": "cheqd"
           *         },
           *         "error": "internalError",
           *         "message": "it cannot be determined now; try again in a moment"
           *       },
           *       "didDocumentMetadata": {}
           *     }
           */
          'application/json':
            components['schemas']['DidResolutionResult'] | components['schemas']['DidUrlDereferencingResult']
        }
      }
    }
  }
  'did-metadata': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description A DID, plain or percent-encoded; `%23` and a fragment name a part of its document */
        did: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The metadata */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "@context": "https://w3id.org/did-resolution/v1",
           *       "dereferencingMetadata": {
           *         "contentType": "application/did+ld+json",
           *         "retrieved": "2026-01-31T09:30:05Z",
           *         "did": {
           *           "didString": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "methodSpecificId": "7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "method": "cheqd"
           *         }
           *       },
           *       "contentStream": {
           *         "created": "2026-01-31T09:30:00Z",
           *         "versionId": "0b1a6f2c-6f2e-4d5f-8c2a-7c0d3c1c9b60",
           *         "linkedResourceMetadata": [
           *           {
           *             "resourceURI": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0/resources/5e16a3f9-7c6e-4b6b-8e28-20f56780ee25",
           *             "resourceCollectionId": "7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *             "resourceId": "5e16a3f9-7c6e-4b6b-8e28-20f56780ee25",
           *             "resourceName": "my-list",
           *             "resourceType": "StatusList2021Revocation",
           *             "mediaType": "application/json",
           *             "resourceVersion": "2",
           *             "created": "2026-01-31T09:30:00Z",
           *             "checksum": "909e22e371a41afbb96c330a97752cf7c8856088f1f937f87decbef06cbe9ca2",
           *             "previousVersionId": "e66a9416-d03e-4ced-95e3-07af16e25bc5",
           *             "nextVersionId": null
           *           }
           *         ]
           *       },
           *       "contentMetadata": {}
           *     }
           */
          'application/json': components['schemas']['DidUrlDereferencingResult']
          /**
           * @example {
           *       "@context": "https://w3id.org/did-resolution/v1",
           *       "dereferencingMetadata": {
           *         "contentType": "application/did+ld+json",
           *         "retrieved": "2026-01-31T09:30:05Z",
           *         "did": {
           *           "didString": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "methodSpecificId": "7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "method": "cheqd"
           *         }
           *       },
           *       "contentStream": {
           *         "created": "2026-01-31T09:30:00Z",
           *         "versionId": "0b1a6f2c-6f2e-4d5f-8c2a-7c0d3c1c9b60",
           *         "linkedResourceMetadata": [
           *           {
           *             "resourceURI": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0/resources/5e16a3f9-7c6e-4b6b-8e28-20f56780ee25",
           *             "resourceCollectionId": "7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *             "resourceId": "5e16a3f9-7c6e-4b6b-8e28-20f56780ee25",
           *             "resourceName": "my-list",
           *             "resourceType": "StatusList2021Revocation",
           *             "mediaType": "application/json",
           *             "resourceVersion": "2",
           *             "created": "2026-01-31T09:30:00Z",
           *             "checksum": "909e22e371a41afbb96c330a97752cf7c8856088f1f937f87decbef06cbe9ca2",
           *             "previousVersionId": "e66a9416-d03e-4ced-95e3-07af16e25bc5",
           *             "nextVersionId": null
           *           }
           *         ]
           *       },
           *       "contentMetadata": {}
           *     }
           */
          'application/ld+json;profile="https://w3id.org/did-resolution"': components['schemas']['DidUrlDereferencingResult']
        }
      }
      /** @description The DID or DID URL is invalid */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "@context": "https://w3id.org/did-resolution/v1",
           *       "didDocument": null,
           *       "didResolutionMetadata": {
           *         "contentType": "application/did+ld+json",
           *         "retrieved": "2026-01-31T09:30:05Z",
           *         "did": {
           *           "didString": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "methodSpecificId": "7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "method": "cheqd"
           *         },
           *         "error": "invalidDid",
           *         "message": "it does not begin with a DID"
           *       },
           *       "didDocumentMetadata": {}
           *     }
           */
          'application/json':
            components['schemas']['DidResolutionResult'] | components['schemas']['DidUrlDereferencingResult']
        }
      }
      /** @description Not found */
      404: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "@context": "https://w3id.org/did-resolution/v1",
           *       "didDocument": null,
           *       "didResolutionMetadata": {
           *         "contentType": "application/did+ld+json",
           *         "retrieved": "2026-01-31T09:30:05Z",
           *         "did": {
           *           "didString": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "methodSpecificId": "7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "method": "cheqd"
           *         },
           *         "error": "notFound",
           *         "message": "the DID or version does not exist on the ledger"
           *       },
           *       "didDocumentMetadata": {}
           *     }
           */
          'application/json':
            components['schemas']['DidResolutionResult'] | components['schemas']['DidUrlDereferencingResult']
        }
      }
      405: components['responses']['MethodNotAllowed']
      /** @description The representation is not available */
      406: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "@context": "https://w3id.org/did-resolution/v1",
           *       "didDocument": null,
           *       "didResolutionMetadata": {
           *         "contentType": "application/did+ld+json",
           *         "retrieved": "2026-01-31T09:30:05Z",
           *         "did": {
           *           "didString": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "methodSpecificId": "7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "method": "cheqd"
           *         },
           *         "error": "representationNotSupported",
           *         "message": "its media type is text/plain"
           *       },
           *       "didDocumentMetadata": {}
           *     }
           */
          'application/json':
            components['schemas']['DidResolutionResult'] | components['schemas']['DidUrlDereferencingResult']
        }
      }
      408: components['responses']['TooSlow']
      429: components['responses']['TooManyRequests']
      /** @description Internal error */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "@context": "https://w3id.org/did-resolution/v1",
           *       "didDocument": null,
           *       "didResolutionMetadata": {
           *         "contentType": "application/did+ld+json",
           *         "retrieved": "2026-01-31T09:30:05Z",
           *         "did": {
           *           "didString": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "methodSpecificId": "7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "method": "cheqd"
           *         },
           *         "error": "internalError",
           *         "message": "internal error"
           *       },
           *       "didDocumentMetadata": {}
           *     }
           */
          'application/json':
            components['schemas']['DidResolutionResult'] | components['schemas']['DidUrlDereferencingResult']
        }
      }
      /** @description This DID method, or the type of the key of the DID, is not supported here */
      501: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "@context": "https://w3id.org/did-resolution/v1",
           *       "didDocument": null,
           *       "didResolutionMetadata": {
           *         "contentType": "application/did+ld+json",
           *         "retrieved": "2026-01-31T09:30:05Z",
           *         "did": {
           *           "didString": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "methodSpecificId": "7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "method": "cheqd"
           *         },
           *         "error": "methodNotSupported",
           *         "message": "did:web is not resolved publicly here"
           *       },
           *       "didDocumentMetadata": {}
           *     }
           */
          'application/json':
            components['schemas']['DidResolutionResult'] | components['schemas']['DidUrlDereferencingResult']
        }
      }
      /** @description It cannot be determined now */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "@context": "https://w3id.org/did-resolution/v1",
           *       "didDocument": null,
           *       "didResolutionMetadata": {
           *         "contentType": "application/did+ld+json",
           *         "retrieved": "2026-01-31T09:30:05Z",
           *         "did": {
           *           "didString": "did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "methodSpecificId": "7bf81a20-633c-4cc7-bc4a-5a45801005e0",
           *           "method": "cheqd"
           *         },
           *         "error": "internalError",
           *         "message": "it cannot be determined now; try again in a moment"
           *       },
           *       "didDocumentMetadata": {}
           *     }
           */
          'application/json':
            components['schemas']['DidResolutionResult'] | components['schemas']['DidUrlDereferencingResult']
        }
      }
    }
  }
  'status-list-read': {
    parameters: {
      query?: {
        /** @description Seconds since 1970 (Token Status List, section 8.4) */
        time?: string
        /** @description Date and time (Bitstring Status List, section 3.2) */
        timestamp?: string
      }
      header?: never
      path: {
        /** @description Of the list */
        statusListId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The list, in the requested form */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /** @example eyJ... */
          'application/statuslist+jwt': string
          'application/statuslist+cwt': string
          /** @example eyJ... */
          'application/vc+jwt': string
          'application/vc': unknown
          'application/vc+ld+json': unknown
          /** @example {} */
          'application/json': unknown
        }
      }
      /** @description Not modified */
      304: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
      400: components['responses']['BadRequest']
      404: components['responses']['NotFound']
      405: components['responses']['MethodNotAllowed']
      406: components['responses']['NotAcceptable']
      408: components['responses']['TooSlow']
      429: components['responses']['TooManyRequests']
      503: components['responses']['Unavailable']
    }
  }
  'status-list-aggregation': {
    parameters: {
      query?: {
        /** @description Only those of this publisher */
        did?: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Their addresses */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "status_lists": [
           *         "https://status.example.com/status-lists/mUY-vBaZYeg1P_eeuuC8E3"
           *       ]
           *     }
           */
          'application/json': components['schemas']['StatusListAggregation']
        }
      }
      /** @description Not modified */
      304: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
      400: components['responses']['BadRequest']
      405: components['responses']['MethodNotAllowed']
      408: components['responses']['TooSlow']
      429: components['responses']['TooManyRequests']
      503: components['responses']['Unavailable']
    }
  }
  'health-live': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description It does */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "alive": true
           *     }
           */
          'application/json': {
            [key: string]: unknown
          }
        }
      }
      405: components['responses']['MethodNotAllowed']
    }
  }
  'health-ready': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description It can */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "ready": true,
           *       "state": "running",
           *       "durationMs": 1.4,
           *       "checks": [
           *         {
           *           "name": "database",
           *           "ok": true
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['Readiness']
        }
      }
      405: components['responses']['MethodNotAllowed']
      /** @description Not ready: the service is starting or stopping, or a check fails */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "ready": false,
           *       "state": "running",
           *       "durationMs": 1.4,
           *       "checks": [
           *         {
           *           "name": "database",
           *           "ok": false
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['Readiness']
        }
      }
    }
  }
  'api-document': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The document */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "openapi": "3.1.0"
           *     }
           */
          'application/json': {
            [key: string]: unknown
          }
        }
      }
      405: components['responses']['MethodNotAllowed']
      408: components['responses']['TooSlow']
      429: components['responses']['TooManyRequests']
    }
  }
  'agent-document': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The document */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "openapi": "3.1.0"
           *     }
           */
          'application/json': {
            [key: string]: unknown
          }
        }
      }
      405: components['responses']['MethodNotAllowed']
      408: components['responses']['TooSlow']
      429: components['responses']['TooManyRequests']
    }
  }
}
