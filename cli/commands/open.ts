import { spawn } from 'node:child_process'
import { CallError, type Run } from '../command.ts'
import { loginOf } from '../session.ts'

/** The dashboard's section of each kind of id. */
const SECTIONS: Readonly<Record<string, string>> = {
  Customer: 'customers',
  Transaction: 'transactions',
  CardTransaction: 'transactions',
  Quote: 'quotes',
  Card: 'cards',
  Agent: 'agents',
  Verification: 'reviews',
  InternalAccount: 'accounts',
  ExternalAccount: 'external-accounts',
  Webhook: 'events',
}

/** Where the service says nothing else, the dashboard is on the port after that of the API. */
const dashboardOf = ({ origin, dashboard }: Readonly<{ origin: string; dashboard?: string }>) => {
  if (dashboard !== undefined) return dashboard
  const url = new URL(origin)
  if (url.port === '')
    throw new CallError('Where is the dashboard? Run: florin login --dashboard URL')
  url.port = String(Number(url.port) + 1)
  return url.origin
}

/** Prints the address of a thing's page, and opens it where a person is at the terminal. */
export const openPage: Run = async ({ args: [id = ''], flag }, context) => {
  const section = SECTIONS[id.split(':')[0] ?? '']
  if (section === undefined) {
    throw new CallError(
      `There is no page for ${id}. Ids begin with ${Object.keys(SECTIONS).join(', ')}.`,
    )
  }
  const { origin } = new URL(dashboardOf(await loginOf(context)))
  const url = `${origin}/${section}/${encodeURIComponent(id)}`
  if (context.stdin.isTTY && !flag('print')) openInBrowser(url, context.complain)
  return { url }
}

const OPENERS: Partial<Record<NodeJS.Platform, string>> = { darwin: 'open', win32: 'explorer' }

function openInBrowser(url: string, complain: (text: string) => void): void {
  const opener = spawn(OPENERS[process.platform] ?? 'xdg-open', [url], {
    stdio: 'ignore',
    detached: true,
  })
  opener.on('error', () => complain('No browser could be opened.\n'))
  opener.unref()
}
