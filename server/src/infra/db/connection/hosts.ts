import pg from 'pg'

/** The servers that `DATABASE_URL` names, and the one of them that takes writes. */
export type DatabaseHosts = Readonly<{
  isSeveral: boolean
  /** The address of the host that accepted writes last; at first, of the first host. */
  current(): string
  /** Searches all hosts for the one that accepts writes. True if there is one; concurrent callers share one search. */
  findWritable(): Promise<boolean>
  /** Calls back whenever the host that accepts writes changes. */
  onChange(changed: () => void): void
}>

const LOOK_TIMEOUT_MS = 1_000
const ADDRESS = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]*)([^?#]*)(?:\?(.*))?$/

/**
 * One address for each host of `postgres://user@h1:5432,h2:5432/db?target_session_attrs=read-write`; undefined for text
 * that is no PostgreSQL address. The driver supports neither lists of hosts nor `target_session_attrs`.
 */
export function splitHosts(text: string): readonly string[] | undefined {
  const [, access = '', hosts = '', path = '', query = ''] = ADDRESS.exec(text) ?? []
  if (access === '') return undefined
  const parameters = new URLSearchParams(query)
  const target = parameters.get('target_session_attrs') ?? 'read-write'
  if (!['read-write', 'primary', 'any'].includes(target)) return undefined
  parameters.delete('target_session_attrs')
  const rest = parameters.size > 0 ? `${path}?${parameters}` : path
  const addresses = hosts.split(',').map((host) => `${access}${host}${rest}`)
  return addresses.every(isAddress) ? addresses : undefined
}

/** Percent signs that the driver could not decode count as malformed. */
function isAddress(text: string): boolean {
  const url = URL.parse(text)
  if (url === null) return false
  try {
    return [url.username, url.password, url.hostname, url.pathname].every(
      (part) => decodeURIComponent(part) !== undefined,
    )
  } catch {
    return false
  }
}

export function createHosts(url: string): DatabaseHosts {
  const addresses = splitHosts(url) ?? [url]
  const listeners: (() => void)[] = []
  let current = addresses[0] ?? url
  let search: Promise<boolean> | undefined

  const look = async (): Promise<boolean> => {
    const found = await Promise.all(addresses.map(isWritable))
    const writable = addresses.find((_address, index) => found[index])
    if (writable === undefined) return false
    const isOther = writable !== current
    current = writable
    if (isOther) listeners.forEach((changed) => changed())
    return true
  }
  return {
    isSeveral: addresses.length > 1,
    current: () => current,
    findWritable: () => (search ??= look().finally(() => (search = undefined))),
    onChange: (changed) => void listeners.push(changed),
  }
}

/** A host that does not answer in time counts as not writable. */
async function isWritable(address: string): Promise<boolean> {
  const client = new pg.Client({
    connectionString: address,
    connectionTimeoutMillis: LOOK_TIMEOUT_MS,
    query_timeout: LOOK_TIMEOUT_MS,
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return !(await isReadOnly(client))
  } catch {
    return false
  } finally {
    // Not awaited: a host that hangs does not close the connection either.
    client.end().catch(() => undefined)
  }
}

export async function isReadOnly(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ transaction_read_only: string }>(
    'show transaction_read_only',
  )
  return rows[0]?.transaction_read_only !== 'off'
}
