import os from 'node:os'
import { beforeEach, expect, test, vi } from 'vitest'
import { openWorld } from '../../tests/support/world.ts'
import { networkUrls } from './listen.ts'

type Interfaces = ReturnType<typeof os.networkInterfaces>

function address(text: string, family: 'IPv4' | 'IPv6', internal = false) {
  return { address: text, family, internal, netmask: '', mac: '', cidr: null, scopeid: 0 }
}

beforeEach(() => {
  vi.spyOn(os, 'networkInterfaces').mockReturnValue({
    lo: [address('127.0.0.1', 'IPv4', true)],
    wlan0: [address('192.168.1.5', 'IPv4'), address('fe80::1', 'IPv6')],
    eth0: [address('169.254.7.7', 'IPv4')],
  } as Interfaces)
})

const world = openWorld()

/** Reads the address to join from the page's head. */
async function joinOf(settings: object, headers = {}): Promise<string | undefined> {
  const { url } = await world.addNode(settings)
  const html = await (await fetch(url, { headers })).text()
  return /<meta name="join" content="([^"]*)">/.exec(html)?.[1]
}

test('names the IPv4 addresses of the networks when the server listens on all of them', async () => {
  expect(await networkUrls('0.0.0.0', 3000)).toEqual(['http://192.168.1.5:3000'])
  expect(await networkUrls('::', 3000)).toEqual(['http://192.168.1.5:3000'])
  expect(await networkUrls('localhost', 3000)).toEqual([])
})

test('names the address of the default route first, and all in their order without a default route', async () => {
  const all = ['10.0.3.1', '127.0.0.1', '192.168.1.5']
  vi.mocked(os.networkInterfaces).mockReturnValue({
    any: all.map(text => address(text, 'IPv4')),
  } as Interfaces)
  const urls = async (elsewhere: string) =>
    (await networkUrls('0.0.0.0', 3000, elsewhere)).map(url => new URL(url).hostname)
  expect(await urls('127.0.0.1')).toEqual(['127.0.0.1', '10.0.3.1', '192.168.1.5'])
  // Sending to the broadcast address needs a permission, so the system reports an error.
  expect(await urls('255.255.255.255')).toEqual(all)
})

test('tells a page that was opened on this machine an address of the network', async () => {
  expect(await joinOf({ host: '0.0.0.0' })).toMatch(/^http:\/\/192\.168\.1\.5:\d+$/)
})

test.each([
  ['a proxy forwarded the request', { host: '0.0.0.0' }, { 'x-forwarded-for': '203.0.113.7' }],
  ['the server listens only on this machine', { host: '127.0.0.1' }, {}],
])('tells a page no address of the network when %s', async (_, settings, headers) => {
  expect(await joinOf(settings, headers)).toBeUndefined()
})

test('tells every page PUBLIC_URL when it is set', async () => {
  const settings = { host: '0.0.0.0', publicUrl: 'https://taps.example.org' }
  expect(await joinOf(settings, { 'x-forwarded-for': '203.0.113.7' })).toBe('https://taps.example.org')
})
