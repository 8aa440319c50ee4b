import { monitorEventLoopDelay } from 'node:perf_hooks'
import { fastify } from 'fastify'
import pg from 'pg'
import { addPublicRoutes } from '../server/src/app/public-routes.ts'
import { answerOf } from '../server/src/operator/answer.ts'
import { commands } from '../server/src/operator/commands.ts'
import { findCommand, parseCommandLine } from '../server/src/operator/command-line/command-line.ts'
import { startBenchServer } from './bench-server.ts'

/**
 * The server side of the HTTP cases, in a process of its own as in real life: our service, and beside it the bare
 * routes it is held against. Tells its parent where everything is.
 */
const server = await startBenchServer()
addPublicRoutes(server.florin.http, server.florin.deps)
const origin = await server.florin.http.listen({ host: '127.0.0.1', port: 0 })

const { tokenId } = server.credentials
const answer = { id: tokenId, name: 'first token', permissions: ['VIEW', 'TRANSACT', 'MANAGE'] }
const bare = fastify({ logger: false })
bare.get('/static', () => answer)
const pool = new pg.Pool({ connectionString: server.databaseUrl, max: 10 })
bare.get('/query', async () => {
  const { rows } = await pool.query({
    name: 'one',
    text: 'select id, name, permissions, created_at, updated_at from api_tokens where id = $1',
    values: [tokenId.slice('Token:'.length)],
  })
  return rows[0] as unknown
})
const bareOrigin = await bare.listen({ host: '127.0.0.1', port: 0 })

const line = `providers add --name processor --kind http --url http://127.0.0.1:9 --ports cards --environment SANDBOX`
const args = line.split(' ')
const command = findCommand(commands, args)
if (!command) throw new Error('there is such a command')
const added = await answerOf(server.florin.deps, command, () => parseCommandLine(command, args))
if (added.proposal) throw new Error('the sandbox needs no second operator')
const { answer: processor } = added
await server.florin.deps.providers.refresh()

process.send?.({
  origin,
  processor,
  bareOrigin,
  credentials: server.credentials,
  databaseUrl: server.databaseUrl,
})
/** Asked for, the longest time for which the event loop stood still since it was last asked. */
const loop = monitorEventLoopDelay({ resolution: 5 })
loop.enable()
process.on('message', () => {
  process.send?.({ longestDelayMs: Math.round(loop.max / 1e6) })
  loop.reset()
})
process.on('disconnect', () => {
  void (async () => {
    await bare.close()
    await pool.end()
    await server.stop()
    process.exit(0)
  })()
})
