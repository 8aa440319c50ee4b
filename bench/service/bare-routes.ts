import { fastify } from 'fastify'
import pg from 'pg'

/** The bare routes that GET of one resource is held against, in a process of their own. Tells its parent where they are. */
const { DATABASE_URL: connectionString, TOKEN_ID: tokenId = '' } = process.env
const answer = { id: tokenId, name: 'first token', permissions: ['VIEW', 'TRANSACT', 'MANAGE'] }
const bare = fastify({ logger: false })
bare.get('/static', () => answer)
const pool = new pg.Pool({ connectionString, max: 10 })
bare.get('/query', async () => {
  const { rows } = await pool.query({
    name: 'one',
    text: 'select id, name, permissions, created_at, updated_at from api_tokens where id = $1',
    values: [tokenId.slice('Token:'.length)],
  })
  return rows[0] as unknown
})
process.send?.(await bare.listen({ host: '127.0.0.1', port: 0 }))
process.on('disconnect', () => process.exit(0))
