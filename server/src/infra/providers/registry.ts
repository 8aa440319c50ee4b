import { unseal, type Keyring } from '../../crypto/seal.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Id } from '../../kernel/ids.ts'
import type { Platform } from '../../kernel/platform.ts'
import {
  chooseProvider,
  type Ports,
  type Provider,
  type RegisteredProvider,
} from '../../kernel/ports.ts'
import type { Database } from '../db/database.ts'
import { isUnavailable } from '../db/connection/unavailable.ts'
import type { Log } from '../logging/log.ts'
import type { Settings } from '../settings/settings.ts'
import { builtInProviders, findBuiltIn } from './built-in.ts'
import { CHANGED_CHANNEL, readProviders, type ProviderRow } from './provider-rows.ts'

/** All registrations, in memory: who answers for what is decided without a query. */
export type Providers = Readonly<{
  registered(): readonly RegisteredProvider[]
  builtIn: readonly Provider[]
  find(id: Id<'provider'>): RegisteredProvider | undefined
  /** The secrets that hold now, newest first (PROV-23). None: the provider is not reached by HTTP. */
  secretsOf(id: Id<'provider'>): readonly string[]
  portsOf(platform: Pick<Platform, 'id' | 'environment'>): Ports
  /** Reads all registrations again; resolves when what is committed by now holds in this process. */
  refresh(): Promise<void>
  stop(): Promise<void>
}>

type Options = Readonly<{
  db: Database
  log: Log
  clock: Clock
  keyring: Keyring
  settings: Settings
}>

/** A change that no notification announced holds by then at the latest (PROV-1). */
const REFRESH_MS = 5_000

/** Keeps the registrations of a process that serves: by notification, and by looking every so often. */
export async function createProviders(options: Options): Promise<Providers> {
  const { db, log } = options
  const providers = emptyProviders(options)
  await providers.refresh()
  const look = (): void => {
    providers.refresh().catch((error: unknown) => {
      if (!isUnavailable(error)) log.error({ err: error }, 'providers not refreshed')
    })
  }
  const listening = await db.listen(CHANGED_CHANNEL, look)
  const timer = setInterval(look, REFRESH_MS).unref()
  return {
    ...providers,
    async stop() {
      clearInterval(timer)
      await listening.stop()
      await providers.stop()
    },
  }
}

/** No registrations before the first refresh: for commands that work on a database which may have no table of them. */
export function emptyProviders({ db, clock, keyring, settings }: Options): Providers {
  const builtIn = builtInProviders(settings)
  let secrets: ReadonlyMap<string, Secrets> = new Map()
  let registered: readonly RegisteredProvider[] = []
  let last: Promise<void> = Promise.resolve()

  const read = async (): Promise<void> => {
    const found = await readProviders(db.read)
    secrets = new Map(found.map((row) => [row.id, toSecrets(keyring, row)]))
    registered = found.map((row) => toProvider(keyring, row))
  }
  return {
    registered: () => registered,
    builtIn,
    find: (id) => registered.find((one) => one.id === id),
    secretsOf(id) {
      const { current = [], former = [], formerUntil } = secrets.get(id) ?? {}
      return formerUntil && formerUntil > clock.now() ? [...current, ...former] : current
    },
    portsOf: (platform) => ({
      providerOf: (query) =>
        chooseProvider(registered, { ...query, platform }) ??
        findBuiltIn(builtIn, platform.environment, query),
    }),
    // One after another: what was read before a change must not replace what was read after it.
    refresh: () => (last = last.catch(() => undefined).then(read)),
    stop: () => last.catch(() => undefined),
  }
}

/** One or none each. */
type Secrets = Readonly<{
  current: readonly string[]
  former: readonly string[]
  formerUntil: Date | null
}>

function toSecrets(keyring: Keyring, row: ProviderRow): Secrets {
  const open = (sealed: Buffer | null): string[] =>
    sealed ? [unseal(keyring, 'provider-secret', sealed, row.id).toString('utf8')] : []
  return {
    current: open(row.sealedSecret),
    former: open(row.sealedFormerSecret),
    formerUntil: row.formerSecretUntil,
  }
}

/** A row as the layers above see it. */
export function toProvider(keyring: Keyring, row: ProviderRow): RegisteredProvider {
  const {
    sealedConfig,
    sealedSecret: _,
    sealedFormerSecret: __,
    formerSecretUntil: ___,
    ...rest
  } = row
  const config = unseal(keyring, 'provider-config', sealedConfig, row.id).toString('utf8')
  return { ...rest, config: JSON.parse(config) as RegisteredProvider['config'] }
}
