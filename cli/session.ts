import { createFlorin, type Florin } from '../sdk/src/index.ts'
import { CallError, type Context } from './command.ts'
import { readConfig } from './config-file.ts'

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
  const stored = await readConfig(env, LOGIN_FILE)
  const login = stored === undefined ? undefined : (JSON.parse(stored) as Login)
  const clientId = env['FLORIN_CLIENT_ID'] ?? login?.clientId
  const clientSecret = env['FLORIN_CLIENT_SECRET'] ?? login?.clientSecret
  if (!clientId || !clientSecret) throw new CallError('You are not logged in. Run: florin login')
  const origin = env['FLORIN_ORIGIN'] ?? login?.origin ?? DEFAULT_ORIGIN
  return { ...login, origin, clientId, clientSecret }
}

export const clientOf = ({ origin, clientId, clientSecret }: Login): Florin =>
  createFlorin({ baseUrl: origin, clientId, clientSecret })

export const connect = async (context: Context): Promise<Florin> => clientOf(await loginOf(context))
