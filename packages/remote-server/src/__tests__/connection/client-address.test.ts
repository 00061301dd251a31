import assert from 'node:assert/strict'
import type { Request } from 'express'
import { ClientAddresses } from '../../connection/client-address.js'

const from = (remoteAddress: string | undefined, ip?: string) =>
  ({ socket: { remoteAddress }, ip }) as Request

describe('ClientAddresses', () => {
  const direct = new ClientAddresses(false)

  const cases: [string, string, string, boolean][] = [
    ['203.0.113.7', '203.0.113.7', '203.0.113.7', true],
    ['::ffff:203.0.113.7', '203.0.113.7', '203.0.113.7', true],
    ['::FFFF:10.1.2.3', '10.1.2.3', '10.1.2.3', false],
    ['127.0.0.1', '127.0.0.1', '127.0.0.1', false],
    ['172.31.0.9', '172.31.0.9', '172.31.0.9', false],
    ['172.32.0.9', '172.32.0.9', '172.32.0.9', true],
    ['192.168.1.1', '192.168.1.1', '192.168.1.1', false],
    ['::1', '::1', '0:0:0:0::/64', false],
    ['fe80::1%eth0', 'fe80::1', 'fe80:0:0:0::/64', false],
    ['fd00:1::1', 'fd00:1::1', 'fd00:1:0:0::/64', false],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64', true],
    ['2001:0db8::6', '2001:0db8::6', '2001:db8:0:0::/64', true],
  ]
  for (const [peer, address, group, tellsApart] of cases) {
    it(`maps ${peer} to ${group}${tellsApart ? '' : ', shared by many'}`, () => {
      assert.deepEqual(direct.of(from(peer)), { address, group, tellsApart })
    })
  }

  it('counts an IPv6 subscriber once, however the address is written', () => {
    const groups = ['2001:db8::1', '2001:db8::ffff:1', '2001:db8:0:0:5::', '2001:DB8:0:0:1:2:3:4'].map(
      (peer) => direct.of(from(peer)).group,
    )
    assert.equal(new Set(groups).size, 1)
  })

  it('trusts a configured proxy, unless it reports something other than an address', () => {
    const behind = new ClientAddresses(true)
    assert.deepEqual(behind.of(from('127.0.0.1', '10.0.0.9')), {
      address: '10.0.0.9',
      group: '10.0.0.9',
      tellsApart: true,
    })
    assert.equal(behind.of(from('127.0.0.1', 'unknown')).address, '127.0.0.1')
  })

  it('still has an address after the connection is closed', () => {
    assert.equal(direct.of(from(undefined)).address, '0.0.0.0')
  })
})
