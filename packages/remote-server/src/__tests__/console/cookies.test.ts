import assert from 'node:assert/strict'
import { attemptIn, ConsoleCookies, sessionIn } from '../../console/cookies.js'

const SESSION = 'session_of-ann'

describe('cookies of the console', () => {
  it('are of this host, for https, out of reach of scripts, and of this site alone', () => {
    const cookies = new ConsoleCookies(true)
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
      new ConsoleCookies(false).session(SESSION),
      `vidimus-session=${SESSION}; Path=/; HttpOnly; SameSite=Strict`,
    )
  })

  it('are read from whatever a browser sends, that of this host first', () => {
    assert.equal(sessionIn(`a=b; vidimus-session=session_other; __Host-vidimus-session=${SESSION}`), SESSION)
    assert.equal(sessionIn(`vidimus-session=${SESSION}`), SESSION)
    assert.equal(attemptIn('vidimus-sign-in=a=b'), 'a=b')
    for (const header of [
      undefined,
      '',
      'vidimus-session',
      'vidimus-session=',
      'vidimus-session=vidimus_key',
      ';;=;',
    ]) {
      assert.equal(sessionIn(header), undefined)
    }
  })
})
