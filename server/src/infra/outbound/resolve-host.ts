/**
 * Resolves host names by querying the name servers directly. The system's own look-up also reads the hosts file, but runs
 * on a few threads that all requests share, where one tenant's unanswered names would delay all others (HOOK-14).
 */
import { promises as dns } from 'node:dns'
import { isIP } from 'node:net'

/** Rejects when the name has no address or no name server answers. */
export type ResolveHost = (hostname: string) => Promise<readonly string[]>

const LOCAL_ADDRESSES = ['127.0.0.1', '::1']

/** `hostname` has the form of URL, with an IPv6 address in brackets. */
export function createHostResolver(servers?: readonly string[]): ResolveHost {
  let resolver = openResolver(servers)

  return async (hostname) => {
    const name = hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')
    if (isIP(name) !== 0) return [name]
    if (/(^|\.)localhost$/.test(name)) return LOCAL_ADDRESSES
    try {
      return await resolveName(resolver, name)
    } catch (error) {
      // The name servers of the machine may have changed since they were read.
      if (!isNoSuchAddress(error)) resolver = openResolver(servers)
      throw error
    }
  }
}

/** IPv4 first, so that a machine with a broken IPv6 route does not wait for it. */
async function resolveName(resolver: dns.Resolver, name: string): Promise<readonly string[]> {
  try {
    return await resolver.resolve4(name)
  } catch (error) {
    if (!isNoSuchAddress(error)) throw error
    return resolver.resolve6(name)
  }
}

function isNoSuchAddress(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException
  return code === 'ENODATA' || code === 'ENOTFOUND'
}

function openResolver(servers: readonly string[] | undefined): dns.Resolver {
  const resolver = new dns.Resolver({ timeout: 2_000, tries: 2 })
  if (servers !== undefined) resolver.setServers(servers)
  return resolver
}
