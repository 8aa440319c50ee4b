import { API_VERSION } from '../server/src/infra/http/api-version.ts'
import { openConnection, requestBytes } from './http-client.ts'
import { closedLoop, type Case, type Measured } from './measure.ts'
import type { Served } from './service/checkout.ts'

const CONNECTIONS = 32
const DURATION_MS = 3_000

const portOf = (origin: string): number => Number(new URL(origin).port)

async function drive(port: number, request: Buffer): Promise<Measured> {
  const connections = await Promise.all(
    Array.from({ length: CONNECTIONS }, () => openConnection(port)),
  )
  const measured = await closedLoop(CONNECTIONS, DURATION_MS, async (writer) => {
    const { status } = await (connections[writer] as (typeof connections)[number]).send(request)
    if (status !== 200) throw new Error(`answered ${status}`)
  })
  connections.forEach((connection) => connection.close())
  return measured
}

export function httpCases({ origin, credentials }: Served, bareOrigin: string): Case[] {
  const { clientId, clientSecret, tokenId } = credentials
  const authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`
  const path = `/${API_VERSION}/tokens/${encodeURIComponent(tokenId)}`
  const ours = requestBytes({ method: 'GET', path, headers: { authorization } })
  const bare = (route: string) => () =>
    drive(portOf(bareOrigin), requestBytes({ method: 'GET', path: route }))
  return [
    {
      name: 'GET one resource',
      aim: 0.9,
      ours: () => drive(portOf(origin), ours),
      yardstick: bare('/query'),
      against: 'a bare Fastify route that runs the same query',
    },
    {
      name: 'GET one resource, against no query at all',
      aim: 0.25,
      ours: () => drive(portOf(origin), ours),
      yardstick: bare('/static'),
      against: 'a bare Fastify route that answers a constant',
    },
  ]
}
