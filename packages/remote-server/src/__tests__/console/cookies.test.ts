import assert from 'node:assert/strict'
import { ConsoleCookies } from '../../console/cookies.js'

const SESSION = 'session_of-ann'

describe('cookies of the console', () => {
  it('are of this host, for https, out of reach of scripts, and of this site alone', () => {
    const cookies = new ConsoleCookies('https://vidimus.example')
    assert.equal(
      cookies.session(SESSION),
      `__Host-vidimus-session=${SESSION}; Path=/; HttpOnly; Secure; SameSite=Strict`,
    )
    assert.equal(
      cookies.attempt('a'),
      '__Host-vidimus-sign-in=a; Path=/; HttpOnly; Secure; SameSite=Lax; Max-Age=600',
    )
    assert.match(cookies.noSession, /^__Host-vidimus-session=; .*Max-Age=0$/)
    assert.match(cookies.noAttempt, /^__Host-vidimus-sign-in=; .*Max-Age=0$/)
  })

  it('need no https on loopback', () => {
    assert.equal(
      new ConsoleCookies('http://127.0.0.1:3332').session(SESSION),
      `vidimus-session=${SESSION}; Path=/; HttpOnly; SameSite=Strict`,
    )
  })

  it('are read from whatever a browser sends', () => {
    const cookies = new ConsoleCookies(undefined)
    assert.equal(cookies.sessionIn(`a=b; vidimus-session=${SESSION}`), SESSION)
    assert.equal(cookies.attemptIn('vidimus-sign-in=a=b'), 'a=b')
    for (const header of [
      undefined,
      '',
      'vidimus-session',
      'vidimus-session=',
      'vidimus-session=vidimus_key',
      ';;=;',
    ]) {
      assert.equal(cookies.sessionIn(header), undefined)
    }
  })

  it('are not taken from a neighbouring host, which cannot set those of this host', () => {
    const cookies = new ConsoleCookies('https://vidimus.example')
    const foreign = `vidimus-session=session_of-eve; vidimus-sign-in=attempt-of-eve`
    assert.deepEqual([cookies.sessionIn(foreign), cookies.attemptIn(foreign)], [undefined, undefined])
    assert.equal(cookies.sessionIn(`${foreign}; __Host-vidimus-session=${SESSION}`), SESSION)
  })
})
