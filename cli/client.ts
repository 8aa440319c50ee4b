import { CLIENT_COMMANDS } from './table.ts'

/** The commands for users of the API, in the surroundings of this process. */
export const client = {
  commands: CLIENT_COMMANDS,
  env: process.env,
  stdin: process.stdin,
  interrupted(): AbortSignal {
    const over = new AbortController()
    process.once('SIGINT', () => over.abort())
    return over.signal
  },
}
