import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressProblem } from './address-problem.ts'

const PRODUCTION = { allowLoopback: false }
const SANDBOX = { allowLoopback: true }

const closed = [
  ['0.0.0.0', 'unspecified', 'this host'],
  ['0.255.255.255', 'unspecified', 'end of its range'],
  ['10.0.0.0', 'private', 'first of 10/8'],
  ['10.255.255.255', 'private', 'last of 10/8'],
  ['100.64.0.0', 'carrier-grade NAT', 'first'],
  ['100.100.100.200', 'carrier-grade NAT', 'metadata of a cloud'],
  ['100.127.255.255', 'carrier-grade NAT', 'last'],
  ['168.63.129.16', 'metadata', 'a public address that is a cloud’s own host'],
  ['169.254.0.1', 'link-local', 'first'],
  ['169.254.169.254', 'link-local', 'metadata of most clouds'],
  ['172.16.0.0', 'private', 'first of 172.16/12'],
  ['172.31.255.255', 'private', 'last of 172.16/12'],
  ['192.0.0.192', 'reserved', 'metadata of a cloud'],
  ['192.0.2.1', 'documentation', 'TEST-NET-1'],
  ['192.88.99.1', 'reserved', '6to4 relay'],
  ['192.168.0.1', 'private', '192.168/16'],
  ['198.18.0.1', 'benchmarking', 'first'],
  ['198.19.255.255', 'benchmarking', 'last'],
  ['198.51.100.7', 'documentation', 'TEST-NET-2'],
  ['203.0.113.7', 'documentation', 'TEST-NET-3'],
  ['224.0.0.1', 'multicast', 'first'],
  ['239.255.255.255', 'multicast', 'last'],
  ['240.0.0.1', 'reserved', 'class E'],
  ['255.255.255.255', 'reserved', 'broadcast'],
  ['::', 'reserved', 'unspecified'],
  ['::7f00:1', 'reserved', 'IPv4-compatible loopback'],
  ['::ffff:127.0.0.1', 'IPv4-mapped', 'loopback in IPv6 clothes'],
  ['::ffff:a9fe:a9fe', 'IPv4-mapped', 'metadata in IPv6 clothes'],
  ['::ffff:8.8.8.8', 'IPv4-mapped', 'even a public one: no name server hands these out'],
  ['::ffff:0:127.0.0.1', 'reserved', 'IPv4-translated'],
  ['64:ff9b::127.0.0.1', 'NAT64', 'loopback behind NAT64'],
  ['64:ff9b::10.0.0.1', 'NAT64', 'private behind NAT64'],
  ['64:ff9b::a9fe:a9fe', 'NAT64', 'metadata behind NAT64'],
  ['64:ff9b::1', 'NAT64', '0.0.0.1 behind NAT64'],
  ['64:ff9b::', 'NAT64', '0.0.0.0 behind NAT64'],
  ['64:ff9b:1::8.8.8.8', 'reserved', 'NAT64 of the local network'],
  ['100::1', 'reserved', 'discard only'],
  ['2001::1', 'reserved', 'Teredo'],
  ['2001:20::1', 'reserved', 'ORCHID'],
  ['2001:db8::1', 'documentation', 'documentation'],
  ['2002:7f00:1::', '6to4', 'loopback in 6to4'],
  ['2002:808:808::', '6to4', '6to4 of a public address'],
  ['3fff::1', 'documentation', 'documentation'],
  ['4000::1', 'reserved', 'not assigned'],
  ['fc00::1', 'private', 'unique local'],
  ['fd00:ec2::254', 'metadata', 'metadata of a cloud'],
  ['fd20:ce::254', 'metadata', 'metadata of another'],
  ['fe80::1', 'link-local', 'link-local'],
  ['fe80::1%eth0', 'link-local', 'with a zone'],
  ['febf::1', 'link-local', 'last of its range'],
  ['fec0::1', 'reserved', 'site-local'],
  ['ff02::1', 'multicast', 'all nodes'],
  ['localhost', 'malformed', 'a name'],
  ['127.1', 'malformed', 'shortened'],
  ['0x7f000001', 'malformed', 'hexadecimal'],
  ['2130706433', 'malformed', 'a number'],
  ['', 'malformed', 'nothing'],
] as const

test('CORE-94 addresses that are not public are refused, in sandbox too', () => {
  for (const [address, problem, why] of closed) {
    assert.equal(addressProblem(address, PRODUCTION), problem, `${address}: ${why}`)
    assert.equal(addressProblem(address, SANDBOX), problem, `${address} in sandbox: ${why}`)
  }
})

test('CORE-94 public addresses are open', () => {
  const open = [
    ['1.1.1.1', 'a public address'],
    ['9.255.255.255', 'just before 10/8'],
    ['11.0.0.0', 'just after 10/8'],
    ['100.63.255.255', 'just before carrier-grade NAT'],
    ['100.128.0.0', 'just after it'],
    ['126.255.255.255', 'just before loopback'],
    ['128.0.0.1', 'just after it'],
    ['169.253.255.255', 'just before link-local'],
    ['172.15.255.255', 'just before 172.16/12'],
    ['172.32.0.0', 'just after it'],
    ['192.167.255.255', 'just before 192.168/16'],
    ['223.255.255.255', 'the last before multicast'],
    ['2001:4860:4860::8888', 'global unicast'],
    ['2606:4700:4700::1111', 'global unicast'],
    ['3ffe::1', 'global unicast'],
    ['64:ff9b::8.8.8.8', 'a public address behind NAT64'],
  ] as const
  for (const [address, why] of open) {
    assert.equal(addressProblem(address, PRODUCTION), undefined, `${address}: ${why}`)
  }
})

test('CORE-94 loopback is open to sandbox platforms alone', () => {
  for (const address of ['127.0.0.1', '127.0.0.2', '127.255.255.255', '::1', '0:0:0:0:0:0:0:1']) {
    assert.equal(addressProblem(address, PRODUCTION), 'loopback', address)
    assert.equal(addressProblem(address, SANDBOX), undefined, address)
  }
})

test('CORE-94 where the operator chose the host it may be private or loopback, nothing else', () => {
  const chosen = { allowLoopback: true, allowPrivate: true }
  for (const address of ['10.0.0.1', '172.16.0.1', '192.168.0.1', 'fc00::1', '127.0.0.1', '::1']) {
    assert.equal(addressProblem(address, chosen), undefined, address)
  }
  for (const [address, problem] of closed) {
    if (problem === 'private') continue
    assert.equal(addressProblem(address, chosen), problem, address)
  }
})
