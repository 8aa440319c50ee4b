import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { createFlorin } from '../../../src/app/florin.ts'
import { createLog } from '../../../src/infra/logging/log.ts'
import { loadSettings } from '../../../src/infra/settings/settings.ts'
import { createPlatform } from '../../../src/operator/create-platform.ts'
import { client, text, type Api, type Credentials } from '../api.ts'
import { cloneDatabase } from '../database/database.ts'
import type { TestPlatform } from '../florin.ts'
import { operate } from '../operator.ts'
import { openBook, type Book } from './bank-book.ts'
import { paceToEnv, pacedClock, pacedOutgoing } from './paced-clock.ts'
import { MASTER_KEY, startServerProcess, type ServerProcess } from './server-process.ts'

const SERVICE = join(import.meta.dirname, 'paced-server.ts')
const BANK = join(import.meta.dirname, 'bank-server.ts')

/** A process that is started again when it was killed. */
export type Immortal = Readonly<{
  baseUrl(): string
  kills(): number
  /** False while it is still on its way back. */
  kill(): boolean
  /** Resolves when it runs. */
  running(): Promise<void>
}>

async function keepRunning(
  start: () => Promise<ServerProcess>,
  announce: (origin: string) => void,
): Promise<Immortal> {
  let current = await start()
  let restart: Promise<void> | undefined
  let kills = 0
  const tell = (): void => announce(new URL(current.baseUrl).origin)
  tell()
  const startAgain = async (): Promise<void> => {
    await current.end('SIGKILL')
    current = await start()
    tell()
    restart = undefined
  }
  return {
    baseUrl: () => current.baseUrl,
    kills: () => kills,
    kill() {
      if (restart) return false
      kills += 1
      restart = startAgain()
      return true
    },
    running: async () => restart,
  }
}

/**
 * A database, the operator's hand on it, and processes around it that may be killed: the service, and a bank that keeps
 * its book in a file. Time runs `factor` times as fast for all of them. Call it once, at the top of a test file.
 */
export async function openPacedKit(factor: number) {
  const database = await cloneDatabase()
  const folder = await mkdtemp(join(tmpdir(), 'florin-bank-'))
  const pace = { factor, sinceMs: Date.now() }
  const env = { DATABASE_URL: database.url, DATA_DIR: folder, ...paceToEnv(pace) }
  const settings = loadSettings({ ...env, MASTER_KEY }, { cwd: folder })
  const florin = await createFlorin({
    settings: { ...settings, databaseUrl: database.url, masterKey: MASTER_KEY },
    log: createLog({ logLevel: 'fatal' }),
    clock: pacedClock(pace),
    outgoing: pacedOutgoing(pace),
    worker: false,
  })
  after(async () => {
    await florin.stop()
    await database.drop()
    await rm(folder, { recursive: true, force: true })
  })
  const bookFile = join(folder, 'book.jsonl')
  return {
    florin,
    /** `publicUrl` is where providers report to. */
    startService: (publicUrl: string, announce: (origin: string) => void): Promise<Immortal> =>
      keepRunning(
        () => startServerProcess({ ...env, PUBLIC_URL: publicUrl }, { program: SERVICE }),
        announce,
      ),
    /** Registers it for all of production under `url`, and starts it. Without a seed it pays all, and at once. */
    async startBank(
      { url, options = '', seed }: Readonly<{ url: string; options?: string; seed?: number }>,
      announce: (origin: string) => void,
    ): Promise<Immortal> {
      const line = `providers add --name bank --kind http --ports rails --url ${url} ${options}`
      const secret = text((await operate({ florin }, line.trim()))['secret'])
      await florin.deps.providers.refresh()
      const bank = { BANK_BOOK: bookFile, BANK_SECRET: secret, BANK_SEED: String(seed ?? '') }
      return keepRunning(() => startServerProcess({ ...env, ...bank }, { program: BANK }), announce)
    },
    /** What the bank has written down by now. */
    readBook: (): Book => openBook(bookFile),
    /** A platform of production whose client finds the service wherever it runs. */
    async platform(service: Immortal): Promise<TestPlatform> {
      const created = await createPlatform(florin.deps, {
        name: 'Paid by a bank',
        kind: 'REGULATED',
        environment: 'PRODUCTION',
        currencies: ['USD'],
      })
      return { ...created, api: followingClient(service, created) }
    },
  }
}

function followingClient(service: Immortal, credentials: Credentials): Api {
  const now = (): Api => client(service.baseUrl(), credentials)
  return {
    get: (...call) => now().get(...call),
    post: (...call) => now().post(...call),
    put: (...call) => now().put(...call),
    patch: (...call) => now().patch(...call),
    delete: (...call) => now().delete(...call),
    send: (...call) => now().send(...call),
    with: (other) => followingClient(service, other),
  }
}
