import type { Keyring } from '../crypto/seal.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Database } from './db/database.ts'
import type { Log } from './log.ts'
import type { Reactions } from './reactions.ts'
import type { Settings } from './settings.ts'

/** What the whole process shares. Built once in app/, handed down as an argument. */
export type Deps = Readonly<{
  settings: Settings
  db: Database
  log: Log
  clock: Clock
  keyring: Keyring
  reactions: Reactions
}>
