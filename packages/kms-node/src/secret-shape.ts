/** The one form of the encryption secret, wherever it comes from. */
export const SECRET_PATTERN = /^[0-9a-f]{64}$/i

export const SECRET_SHAPE = '64 hex characters (32 random bytes, for example from `openssl rand -hex 32`)'
