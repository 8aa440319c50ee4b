import { chmod, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Deps } from '../infra/deps.ts'
import { createPlatform, type PlatformCredentials } from '../operator/create-platform.ts'

const FILE = 'sandbox-platform.json'
const CURRENCIES = ['USD', 'EUR', 'GBP', 'MXN', 'BRL', 'INR', 'USDC', 'BTC']

/**
 * Creates the sandbox platform of a new installation on its first start. Its credentials are kept in the data folder,
 * readable by the owner alone, and printed again on later starts (CORE-80).
 */
export async function firstPlatform(deps: Deps): Promise<PlatformCredentials> {
  const path = join(deps.settings.dataDir, FILE)
  const kept = await readKept(path)
  if (kept) return kept
  const created = await createPlatform(deps, {
    name: 'Sandbox',
    kind: 'REGULATED',
    environment: 'SANDBOX',
    currencies: CURRENCIES,
  })
  // Written beside and renamed, so that a crash leaves the whole file or none.
  await writeFile(`${path}.new`, `${JSON.stringify(created, null, 2)}\n`, { mode: 0o600 })
  await chmod(`${path}.new`, 0o600)
  await rename(`${path}.new`, path)
  return created
}

async function readKept(path: string): Promise<PlatformCredentials | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as PlatformCredentials
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
