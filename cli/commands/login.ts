import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { CallError, type Context, type Run } from '../command.ts'
import { configPath, writeConfig } from '../config-file.ts'
import { addressIn, clientOf, DEFAULT_ORIGIN, LOGIN_FILE } from '../session.ts'

/** Stores credentials once the service has taken them (OPER-150). */
export const login: Run = async (input, context) => {
  const { env } = context
  const origin = addressIn(input.option('origin') ?? env['FLORIN_ORIGIN'] ?? DEFAULT_ORIGIN)
  const dashboard = input.option('dashboard')
  if (dashboard !== undefined) addressIn(dashboard)
  const { clientId, clientSecret } = await credentialsOf(context)
  if (!clientId || !clientSecret) throw new CallError('Give a client id and its secret.')
  const made = { origin, clientId, clientSecret, ...(dashboard !== undefined && { dashboard }) }
  await clientOf(made).config.get({ signal: context.signal })
  await writeConfig(env, LOGIN_FILE, `${JSON.stringify(made)}\n`)
  return { origin, clientId, file: configPath(env, LOGIN_FILE) }
}

type Credentials = Readonly<{ clientId: string; clientSecret: string }>

/** From the environment, else from standard input: never from the command line, which others on the machine can read. */
async function credentialsOf({ env, stdin, complain }: Context): Promise<Credentials> {
  const [id, secret] = [env['FLORIN_CLIENT_ID'], env['FLORIN_CLIENT_SECRET']]
  if (id && secret) return { clientId: id, clientSecret: secret }
  const isTerminal = stdin.isTTY
  // The terminal would show what is typed.
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: stdin, output: silent, terminal: isTerminal })
  const answers = lines[Symbol.asyncIterator]()
  const ask = async (question: string): Promise<string> => {
    if (isTerminal) complain(question)
    const { value, done } = await answers.next()
    if (isTerminal) complain('\n')
    return done ? '' : value.trim()
  }
  try {
    const clientId = await ask('Client id (not shown): ')
    return { clientId, clientSecret: await ask('Client secret (not shown): ') }
  } finally {
    lines.close()
  }
}
