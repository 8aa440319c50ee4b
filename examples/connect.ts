/** How every example finds the service: from the environment, or from what `npm start` keeps in ./data. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createFlorin, type Florin } from '@florin/sdk'

export type Connection = Readonly<{
  florin: Florin
  baseUrl: string
  /** The key that webhooks of this platform are signed with. */
  webhookPublicKey: string
}>

type Credentials = Readonly<{ clientId: string; clientSecret: string; webhookPublicKey: string }>

const DATA_DIR = process.env['FLORIN_DATA_DIR'] ?? join(import.meta.dirname, '../data')

async function credentials(): Promise<Credentials> {
  const {
    FLORIN_CLIENT_ID: clientId,
    FLORIN_CLIENT_SECRET: clientSecret,
    FLORIN_WEBHOOK_PUBLIC_KEY: webhookPublicKey = '',
  } = process.env
  if (clientId && clientSecret) return { clientId, clientSecret, webhookPublicKey }
  try {
    return JSON.parse(
      await readFile(join(DATA_DIR, 'sandbox-platform.json'), 'utf8'),
    ) as Credentials
  } catch {
    console.error('Run `npm start` first, or set FLORIN_CLIENT_ID and FLORIN_CLIENT_SECRET.')
    process.exit(1)
  }
}

export async function connect(): Promise<Connection> {
  const { webhookPublicKey, ...token } = await credentials()
  const baseUrl = process.env['FLORIN_ORIGIN'] ?? 'http://127.0.0.1:8080'
  return { florin: createFlorin({ baseUrl, ...token }), baseUrl, webhookPublicKey }
}
