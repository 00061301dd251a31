import assert from 'node:assert/strict'
import { WebDidGrants, pathUnder, webDidsField } from '../web-did-grants.js'

const noAccounts = { query: () => Promise.resolve([]) }
const named = (...names: string[]) => ({
  query: <Row>() => Promise.resolve(names.map((name) => ({ name })) as Row[]),
})

describe('names of did:web DIDs', () => {
  it('are configured by account names and by paths as in the DID', () => {
    const problems = (value: object) =>
      webDidsField()
        .safeParse(value)
        .error?.issues.map(({ path, message }) => `${path.join('.')} ${message}`)
    assert.deepEqual(
      problems({ root: 'one', prefixes: { one: ['a', 'b:c'], two: ['ab', 'b:cd'] } }),
      undefined,
    )
    assert.equal(problems({ root: '!' })?.length, 1)
    for (const path of ['', 'a/b', 'a:', ':a', 'a:..', 'a b', '%61', '*'])
      assert.match(
        problems({ prefixes: { one: [path] } })?.join() ?? '',
        /^prefixes\.one\.0 must be a path/,
        path,
      )
  })

  it('are those of the public URL, whatever its path', () => {
    for (const [url, base] of [
      ['https://a.example', 'did:web:a.example'],
      ['https://a.example:8443', 'did:web:a.example%3A8443'],
      ['https://a.example/vidimus', 'did:web:a.example:vidimus'],
    ] as const) {
      assert.equal(pathUnder(base, url), '')
      assert.equal(pathUnder(`${base}:one:two`, url), 'one:two')
    }
  })

  for (const [what, account, path, granted] of [
    ['the own name', 'one', 'one', true],
    ['below the own name', 'one', 'one:deep', true],
    ['a name that only begins alike', 'one', 'oneself', false],
    ['the name of another account', 'one', 'two', false],
    ['a name that is no path', 'One', 'One', false],
    ['the host', 'one', '', false],
    ['the host of its account', 'root', '', true],
    ['anything else of that account', 'root', 'free', false],
    ['a configured path', 'two', 'issuers', true],
    ['below a configured path', 'two', 'issuers:x', true],
    ['a configured path of another account', 'one', 'issuers', false],
    ['a part of the own name that is configured for another account', 'one', 'one:lent', false],
    ['that part for the other account, whose it is not either', 'two', 'one:lent', false],
    ['a configured path that is the name of another account', 'two', 'three', false],
    ['that name for its account', 'three', 'three', false],
  ] as const) {
    it(`${granted ? 'are' : 'are not'} granted: ${what}`, async () => {
      const grants = new WebDidGrants({
        root: 'root',
        prefixes: { two: ['issuers', 'one:lent', 'three'], one: ['teams'] },
      })
      const ambiguous = await grants.ambiguous(named('one', 'three'))
      assert.equal(grants.isGranted({ name: account }, path, ambiguous), granted)
    })
  }

  it('are named in the refusal', async () => {
    const grants = new WebDidGrants({ root: 'one', prefixes: { one: ['teams'] } })
    await assert.rejects(
      grants.demand(noAccounts, { name: 'one' }, 'did:web:a.example:x', 'https://a.example'),
      {
        code: 'did_not_granted',
        message: /may have: did:web:a.example, did:web:a.example:one \(and .*\), did:web:a.example:teams \(/,
      },
    )
    await assert.rejects(
      grants.demand(noAccounts, { name: 'Two!' }, 'did:web:a.example', 'https://a.example'),
      {
        message: /may have: none$/,
      },
    )
  })
})
