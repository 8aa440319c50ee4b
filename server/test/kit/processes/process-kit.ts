import { after } from 'node:test'
import { openOperator } from '../../../src/app/operator.ts'
import { createLog } from '../../../src/infra/logging/log.ts'
import { loadSettings } from '../../../src/infra/settings/settings.ts'
import { cloneDatabase } from '../database/database.ts'
import { MASTER_KEY, startServerProcess, type ServerProcess } from './server-process.ts'

/**
 * A database for services that run as processes of their own, so that they can be killed, and the operator's hand on it.
 * After the file all of it goes: a test may leave its service to the next one. Call it once, at the top of a test file.
 */
export async function openProcessKit(more: Record<string, string> = {}) {
  const database = await cloneDatabase()
  const env = { DATABASE_URL: database.url, ...more }
  const settings = loadSettings({ ...env, MASTER_KEY }, { cwd: import.meta.dirname })
  const operator = await openOperator(settings, createLog({ logLevel: 'fatal' }))
  const kills: (() => void)[] = []
  after(async () => {
    for (const kill of kills) kill()
    await operator.close()
    await database.drop()
  })
  const start = (): Promise<ServerProcess> =>
    startServerProcess(env, { endLater: (kill) => void kills.push(kill) })
  return { operator, start }
}
