import assert from 'node:assert/strict'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { detectMediaType } from '../index.js'

const JWT = 'eyJhbGciOiJFZERTQSJ9.eyJpc3MiOiJkaWQifQ.c2ln'

describe('detectMediaType', () => {
  for (const [content, mediaType] of [
    ['{"a":1}', 'application/json'],
    [' \n[1,2]\n', 'application/json'],
    ['{"a":', 'text/plain; charset=utf-8'],
    ['"text"', 'text/plain; charset=utf-8'],
    ['17', 'text/plain; charset=utf-8'],
    [JWT, 'text/plain; charset=utf-8'],
    ['Grüße', 'text/plain; charset=utf-8'],
    ['\ufeffGrüße', 'text/plain; charset=utf-8'],
    ['<!DOCTYPE html><p>x', 'text/html'],
    ['  <html lang="en">', 'text/html'],
    ['<?xml version="1.0"?><a/>', 'text/xml'],
    ['<?xml version="1.0"?><rss version="2.0"/>', 'text/xml'],
    ['<?php a(1,2)\n(1,2)', 'text/plain; charset=utf-8'],
    ['id;name\n1;a\n', 'text/plain; charset=utf-8'],
    ['a,b\n1,2,3\n', 'text/plain; charset=utf-8'],
    [Buffer.from('d9d9f7a0', 'hex'), 'application/cbor'],
    [Buffer.from('504b0304140000000800', 'hex'), 'application/zip'],
    ['<?xml version="1.0"?><svg xmlns="x"/>', 'image/svg+xml'],
    [Buffer.from([0xfc, 0x72]), 'text/plain; charset=iso-8859-1'],
    [Buffer.from([0xfc, 0x85, 0x72]), 'text/plain; charset=windows-1252'],
    [Buffer.from([0x93, 0x72]), 'text/plain'],
    ['', 'text/plain'],
    ['{"a":{"type" : "Point"}}', 'text/plain; charset=utf-8'],
    ['{"a":1,"b":2}\n{"a":1,"b":2}\n', 'text/plain; charset=utf-8'],
    ['a note with <svg in it', 'image/svg+xml'],
    ['BMW', 'image/bmp'],
    ['a,b\n"c\n",d\n', 'text/csv'],
    ['<html><meta charset="ISO-8859-2">', 'text/html'],
    ['\0\0\0\x1cftypavif\0\0\0\0', 'image/avif'],
    [Buffer.from('fffe4100', 'hex'), 'text/plain; charset=utf-16le'],
    [Buffer.from('feff0041', 'hex'), 'text/plain; charset=utf-16be'],
    [Buffer.from('89504e470d0a1a0a0000', 'hex'), 'image/png'],
    [Buffer.from('ffd8ffe000', 'hex'), 'image/jpeg'],
    ['GIF89a....', 'image/gif'],
    ['RIFF1234WEBPVP8 ', 'image/webp'],
    [Buffer.from('\0\0\0\0\0\0\0\0WEBP'), 'application/octet-stream'],
    ['%PDF-1.7\n', 'application/pdf'],
    [Buffer.from('504b030414000000', 'hex'), 'application/zip'],
    [gzipSync('bits'), 'application/gzip'],
    [Buffer.from([1, 2, 3]), 'application/octet-stream'],
    ['text with NUL \0', 'application/octet-stream'],
  ] as const) {
    it(`finds ${mediaType} in ${JSON.stringify(content.toString('latin1' as never)).slice(0, 40)}`, () => {
      assert.equal(detectMediaType(Buffer.from(content as string)), mediaType)
    })
  }

  it('handles a character split by the read limit', () => {
    assert.equal(
      detectMediaType(Buffer.from(`${'a'.repeat(3071)}ü${'b'.repeat(10)}`)),
      'text/plain; charset=utf-8',
    )
  })

  it('detects JSON beyond the read limit', () => {
    const list = JSON.stringify({ encodedList: 'x'.repeat(44_000) })
    assert.equal(detectMediaType(Buffer.from(list)), 'application/json')
    assert.equal(detectMediaType(new Uint8Array(Buffer.from(`..${list}`)).subarray(2)), 'application/json')
  })

  it('returns a type for any bytes, and JSON for every JSON object', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (data) => assert.match(detectMediaType(data), /^[a-z]+\/[a-z+-]+/)),
    )
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        assert.equal(detectMediaType(Buffer.from(JSON.stringify(value))), 'application/json')
      }),
    )
  })
})
