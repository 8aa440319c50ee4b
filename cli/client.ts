import { CLIENT_COMMANDS } from './table.ts'

/** The commands for users of the API, in the surroundings of this process. */
export const client = {
  commands: CLIENT_COMMANDS,
  env: process.env,
  stdin: process.stdin,
  /** By the user, or because nobody reads any more what is printed. */
  interrupted(): AbortSignal {
    const over = new AbortController()
    process.once('SIGINT', () => over.abort())
    process.stdout.once('error', () => over.abort())
    return over.signal
  },
}
