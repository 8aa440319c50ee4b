import { createFlorin, type Florin } from '../sdk/src/index.ts'
import { CallError, type Context } from './command.ts'
import { configPath, readConfig } from './config-file.ts'

/** Who calls, and where. */
export type Login = Readonly<{
  origin: string
  clientId: string
  clientSecret: string
  /** Where operators have their dashboard, if that is known. */
  dashboard?: string
}>

export const LOGIN_FILE = 'login.json'
export const DEFAULT_ORIGIN = 'http://127.0.0.1:8080'

/** What the environment gives precedes what `florin login` has stored. */
export async function loginOf({ env }: Pick<Context, 'env'>): Promise<Login> {
  const login = await storedLogin(env)
  const clientId = env['FLORIN_CLIENT_ID'] ?? login?.clientId
  const clientSecret = env['FLORIN_CLIENT_SECRET'] ?? login?.clientSecret
  if (!clientId || !clientSecret) throw new CallError('You are not logged in. Run: florin login')
  const origin = addressIn(env['FLORIN_ORIGIN'] ?? login?.origin ?? DEFAULT_ORIGIN)
  return { ...login, origin, clientId, clientSecret }
}

async function storedLogin(env: Context['env']): Promise<Login | undefined> {
  const stored = await readConfig(env, LOGIN_FILE)
  try {
    return stored === undefined ? undefined : (JSON.parse(stored) as Login)
  } catch {
    throw new CallError(`${configPath(env, LOGIN_FILE)} is damaged. Run: florin login`)
  }
}

/** Fails where it is no address of a service or a dashboard. */
export function addressIn(text: string): string {
  if (/^https?:\/\//.test(text) && URL.canParse(text)) return text
  throw new CallError(`${text} is no address as ${DEFAULT_ORIGIN}.`)
}

export const clientOf = ({ origin, clientId, clientSecret }: Login): Florin =>
  createFlorin({ baseUrl: origin, clientId, clientSecret })

export const connect = async (context: Context): Promise<Florin> => clientOf(await loginOf(context))
