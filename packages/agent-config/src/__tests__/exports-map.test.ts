import assert from 'node:assert/strict'
import { join } from 'node:path'
import { resolveExports } from '../exports-map.js'

const resolve = (exports: unknown, subpath = '.', conditions = ['node', 'import']) =>
  resolveExports('/p', subpath, exports, new Set(conditions))
const at = (path: string) => join('/p', path)

describe('the exports of a package', () => {
  it('may be a single file', () => {
    assert.equal(resolve('./m.js'), at('m.js'))
    assert.equal(resolve('./m.js', './other'), undefined)
  })

  it('follow conditions in their order', () => {
    assert.equal(resolve({ require: './r.cjs', import: './i.js', default: './d.js' }), at('i.js'))
    assert.equal(resolve({ '.': { default: './d.js', import: './i.js' } }), at('d.js'))
    assert.equal(resolve({ node: { browser: './b.js' }, default: './d.js' }), at('d.js'))
    assert.equal(resolve({ types: './t.d.ts', require: './r.cjs' }), undefined)
    assert.equal(resolve({ import: null, default: './d.js' }), undefined)
  })

  it('know subpaths and patterns, the most specific first', () => {
    const exports = {
      '.': './m.js',
      './a': './a.js',
      './f/*': './features/*.js',
      './f/x/*.js': './x/*.js',
      './f/private/*': null,
      './twice/*': './t/*/*.js',
    }
    assert.equal(resolve(exports, './a'), at('a.js'))
    assert.equal(resolve(exports, './b'), undefined)
    assert.equal(resolve(exports, './f/y/z'), at('features/y/z.js'))
    assert.equal(resolve(exports, './f/x/y.js'), at('x/y.js'))
    assert.equal(resolve(exports, './f/private/y'), undefined)
    assert.equal(resolve(exports, './twice/$&'), at('t/$&/$&.js'))
  })

  it('take the first of a list that is possible', () => {
    assert.equal(resolve([{ deno: './no.js' }, './m.js']), at('m.js'))
    assert.equal(resolve(['elsewhere', './m.js']), at('m.js'))
    assert.equal(resolve([]), undefined)
    assert.throws(() => resolve(['elsewhere']), /leads elsewhere/)
  })

  it('lead nowhere outside of the package', () => {
    assert.throws(() => resolve('../m.js'), /leads elsewhere/)
    assert.throws(() => resolve('./a/../../m.js'), /leads elsewhere/)
    assert.throws(() => resolve('./node_modules/x.js'), /leads elsewhere/)
    assert.throws(() => resolve({ './*': './*' }, './../x.js'), /no path inside/)
  })

  it('are refused where they are malformed', () => {
    assert.throws(() => resolve({ '.': './m.js', import: './i.js' }), /mixes subpaths and conditions/)
    assert.throws(() => resolve({ '.': 5 }), /malformed "exports"/)
  })
})
