/**
 * A process that starts the embedded database and holds it until its standard input ends: what the service is to it.
 *
 *   node database-owner.ts <data folder> <folder for what must be reachable> [--without-launcher]
 */
import { once } from 'node:events'
import { startEmbeddedPostgres } from '../../src/infra/db/embedded-postgres.ts'
import { openCluster } from '../../src/infra/db/embedded/cluster.ts'
import { urlOf } from '../../src/infra/db/embedded/connection.ts'
import { own } from '../../src/infra/db/embedded/owner.ts'
import { findFreePort, launch } from '../../src/infra/db/embedded/postmaster.ts'

const [dataDir = '', reachableDir = '', mode] = process.argv.slice(2)
const ignore = (): void => undefined
const log = { debug: ignore, info: ignore, warn: ignore, error: ignore }

/** As on a machine that has no `setpriv`: nothing stops the server when this process dies. */
async function startWithoutLauncher(): Promise<{ url: string; adopted: boolean }> {
  const cluster = await openCluster({ dataDir, reachableDir })
  const port = await findFreePort()
  const launched = await launch({ cluster, port, settings: {}, onLine: ignore, launcher: [] })
  await launched.isReady
  await own(cluster)
  return { url: urlOf({ cluster, port }), adopted: false }
}

const start = async (): Promise<{ url: string; adopted: boolean; stop?: () => Promise<void> }> =>
  mode === '--without-launcher'
    ? startWithoutLauncher()
    : startEmbeddedPostgres({ dataDir, reachableDir, log })

const { url, adopted, stop } = await start()
process.stdout.write(`${JSON.stringify({ url, adopted })}\n`)
await once(process.stdin.resume(), 'end')
await stop?.()
