/**
 * The addresses that an outgoing call may reach: public ones only, so that no tenant can make the service call its own
 * network or its cloud's metadata (CORE-94). IPv4 is open except for the listed ranges; IPv6 is closed except for global
 * unicast without the listed ranges.
 */
import { BlockList, isIP } from 'node:net'

/** IANA's special-purpose registries, and other addresses of clouds. */
const CLOSED_IPV4 = [
  ['0.0.0.0/8', 'unspecified'],
  ['10.0.0.0/8', 'private'],
  ['100.64.0.0/10', 'carrier-grade NAT'],
  ['127.0.0.0/8', 'loopback'],
  ['168.63.129.16/32', 'metadata'],
  ['169.254.0.0/16', 'link-local'],
  ['172.16.0.0/12', 'private'],
  ['192.0.0.0/24', 'reserved'],
  ['192.0.2.0/24', 'documentation'],
  ['192.88.99.0/24', 'reserved'],
  ['192.168.0.0/16', 'private'],
  ['198.18.0.0/15', 'benchmarking'],
  ['198.51.100.0/24', 'documentation'],
  ['203.0.113.0/24', 'documentation'],
  ['224.0.0.0/4', 'multicast'],
  ['240.0.0.0/4', 'reserved'],
] as const

const CLOSED_IPV6 = [
  ['::1/128', 'loopback'],
  // Listed before the private range that contains them: metadata of clouds is never the operator's own network.
  ['fd00:ec2::/32', 'metadata'],
  ['fd20:ce::/32', 'metadata'],
  ['fc00::/7', 'private'],
  ['fe80::/10', 'link-local'],
  ['ff00::/8', 'multicast'],
  ['::ffff:0:0/96', 'IPv4-mapped'],
  ['2001::/23', 'reserved'],
  ['2001:db8::/32', 'documentation'],
  ['2002::/16', '6to4'],
  ['3fff::/20', 'documentation'],
] as const

const GLOBAL_UNICAST = rangeOf('2000::/3', 'ipv6')
const NAT64 = rangeOf('64:ff9b::/96', 'ipv6')

const closedIpv4 = CLOSED_IPV4.map(([range, what]) => ({ range: rangeOf(range, 'ipv4'), what }))
const closedIpv6 = CLOSED_IPV6.map(([range, what]) => ({ range: rangeOf(range, 'ipv6'), what }))

export type AllowedAddresses = Readonly<{
  allowLoopback: boolean
  /** Private addresses as well, for hosts that the operator chose. */
  allowPrivate?: boolean
}>

/** Why the address is forbidden, in a word or two; undefined for an allowed one. */
export function addressProblem(
  address: string,
  { allowLoopback, allowPrivate = false }: AllowedAddresses,
): string | undefined {
  const problem = knownProblemOf(address)
  const isAllowed =
    (problem === 'loopback' && allowLoopback) || (problem === 'private' && allowPrivate)
  return isAllowed ? undefined : problem
}

const KNOWN_MAX = 1_000
const known = new Map<string, string | undefined>()

/** A cache, because comparing an address with every range costs more than the rest of the check. */
function knownProblemOf(address: string): string | undefined {
  if (known.has(address)) return known.get(address)
  if (known.size >= KNOWN_MAX) known.clear()
  const problem = problemOf(address)
  known.set(address, problem)
  return problem
}

function problemOf(address: string): string | undefined {
  switch (isIP(address)) {
    case 4:
      return closedIpv4.find(({ range }) => range.check(address, 'ipv4'))?.what
    case 6:
      return address.includes('%') ? 'link-local' : problemOfIpv6(address)
    default:
      return 'malformed'
  }
}

function problemOfIpv6(address: string): string | undefined {
  // NAT64 leads to the IPv4 address inside, which decides. Its loopback is the gateway's, so it is never allowed.
  if (NAT64.check(address, 'ipv6')) {
    return problemOf(ipv4Within(address)) === undefined ? undefined : 'NAT64'
  }
  const closed = closedIpv6.find(({ range }) => range.check(address, 'ipv6'))
  if (closed !== undefined) return closed.what
  return GLOBAL_UNICAST.check(address, 'ipv6') ? undefined : 'reserved'
}

/** The last 32 bits of an IPv6 address of the form `x::y`, as IPv4. */
function ipv4Within(address: string): string {
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1)
  const [low = 0, high = 0] = canonical
    .slice(canonical.indexOf('::') + 2)
    .split(':')
    .map((group) => Number.parseInt(`0${group}`, 16))
    .toReversed()
  return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.')
}

function rangeOf(range: string, family: 'ipv4' | 'ipv6'): BlockList {
  const [network = '', prefix = ''] = range.split('/')
  const list = new BlockList()
  list.addSubnet(network, Number(prefix), family)
  return list
}
