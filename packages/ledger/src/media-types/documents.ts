import { any, at, mediaType, starts, type Test } from './media-type.js'

/** SignedData of CMS (RFC 5652), by the possible lengths between its tag and its object identifier. */
const SIGNED_DATA = '\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07'

const isSignedData: Test = (content) =>
  content.length >= 20 &&
  [0x80, 0x81, 0x82, 0x83, 0x84].some(
    (length, n) => starts(`\x30${String.fromCharCode(length)}`)(content) && at(n + 2, SIGNED_DATA)(content),
  )

export const PDF = mediaType('application/pdf', starts('%PDF-', '\n%PDF-', '\xef\xbb\xbf%PDF-'))
export const FDF = mediaType('application/vnd.fdf', starts('%FDF'))
export const POSTSCRIPT = mediaType('application/postscript', starts('%!PS-Adobe-'))
export const PKCS7 = mediaType('application/pkcs7-signature', any(starts('-----BEGIN PKCS7'), isSignedData))
export const MOBI = mediaType('application/x-mobipocket-ebook', at(60, 'BOOKMOBI'))
export const LIT = mediaType('application/x-ms-reader', starts('ITOLITLS'))
