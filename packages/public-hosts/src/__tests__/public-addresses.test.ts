import assert from 'node:assert/strict'
import { demandPublicHost, isPublicAddress, NOT_REACHED } from '../public-addresses.js'

describe('public addresses', () => {
  const of = (address: string) => isPublicAddress({ address, family: address.includes(':') ? 6 : 4 })

  it('exclude those of the own machine and network', () => {
    for (const address of [
      '127.0.0.1',
      '127.255.255.254',
      '10.1.2.3',
      '172.16.0.1',
      '172.31.255.255',
      '192.168.1.1',
      '169.254.169.254',
      '0.0.0.0',
      '100.64.0.1',
      '224.0.0.1',
      '255.255.255.255',
      '::1',
      '::',
      'fe80::1',
      'fc00::1',
      'fd12::1',
      'ff02::1',
      '::ffff:127.0.0.1',
      '::127.0.0.1',
      '64:ff9b:1::7f00:1',
      '2002:7f00:1::1',
      'fec0::1',
      '::ffff:10.0.0.1',
      '::ffff:169.254.169.254',
      '168.63.129.16',
      '::ffff:168.63.129.16',
      '::ffff:0:127.0.0.1',
      '::ffff:0:a00:1',
    ]) {
      assert.ok(!of(address), address)
    }
  })

  it('include all others', () => {
    for (const address of [
      '1.1.1.1',
      '172.32.0.1',
      '168.63.129.15',
      '192.167.1.1',
      '11.0.0.1',
      '2606:4700::1111',
      '::ffff:1.1.1.1',
    ]) {
      assert.ok(of(address), address)
    }
  })

  it('are recognised in any spelling of the host in a URL', () => {
    for (const host of [
      '127.0.0.1',
      '127.1',
      '0x7f.1',
      '2130706433',
      '017700000001',
      '[::1]',
      '[::ffff:7f00:1]',
    ]) {
      assert.throws(() => demandPublicHost(new URL(`https://${host}/`)), { message: NOT_REACHED }, host)
    }
    for (const host of ['1.1.1.1', '[2606:4700::1111]', 'localhost', 'example.com']) {
      demandPublicHost(new URL(`https://${host}/`))
    }
  })
})
