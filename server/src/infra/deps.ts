import type { Keyring } from '../crypto/seal.ts'
import type { Caller } from '../kernel/access/operator.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Id } from '../kernel/ids.ts'
import type { Environment, Platform } from '../kernel/platform.ts'
import type { Database } from './db/database.ts'
import type { FileStore } from './files/files.ts'
import type { BusinessCounts } from './logging/business-metrics.ts'
import type { Log } from './logging/log.ts'
import type { Providers } from './providers/registry.ts'
import type { Reactions } from './work/reactions.ts'
import type { Settings } from './settings/settings.ts'
import type { Tracer } from './logging/tracing/tracer.ts'
import type { GuardedFetch } from './outbound/ssrf.ts'

/** What the whole process shares. Built once in app/, handed down as an argument. */
export type Deps = Readonly<{
  settings: Settings
  db: Database
  log: Log
  clock: Clock
  keyring: Keyring
  /** What was uploaded. */
  files: FileStore
  /** What internal events set off; a process that rarely needs them loads them when the first one happens. */
  reactions(): Reactions | Promise<Reactions>
  /** Calls to addresses that others choose, by what the platform's environment allows (CORE-94). */
  outgoing: Readonly<Record<Environment, GuardedFetch>>
  /** Who answers for the ports of each platform (PROV-1). */
  providers: Providers
  /** A commit left jobs, or events to be sent: the background of this process looks at once. */
  wake(what: 'jobs' | 'events' | 'orders'): void
  /** What is counted for operators to watch; absent outside of the service. */
  counts?: BusinessCounts
  /** Absent where no collector is set up: then nothing is traced (OPER-140). */
  tracer?: Tracer | undefined
  /** Moves the clock of a sandbox platform; only in a process that serves. */
  advanceClock?(
    id: Id<'platform'>,
    move: Readonly<{ byMs: number }>,
  ): Promise<Readonly<{ platform: Platform; ran: readonly Readonly<{ kind: string }>[] }>>
  /** Who runs a command of the operator; absent for a user of this machine. */
  operator?: Caller
  /** Hears of every Work that begins: which platforms a command touches. */
  began?(platform: Platform): void
}>
