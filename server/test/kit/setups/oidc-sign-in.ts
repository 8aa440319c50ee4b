import assert from 'node:assert/strict'
import type { Settings } from '../../../src/infra/settings/settings.ts'
import type { Deps } from '../../../src/infra/deps.ts'
import type { Kit } from '../florin.ts'
import { openDashboard, visitorWith, type Dashboard, type Shown } from '../pages/dashboard.ts'

export const CLIENT_ID = 'florin'
const CALLBACK = '/sign-in/oidc/callback'

/** The dashboard of an installation whose operators sign in at this issuer. */
export function openOidcDashboard(
  kit: Pick<Kit, 'florin'>,
  issuer: string,
  {
    settings = {},
    ...change
  }: Partial<Omit<Deps, 'settings'>> & { settings?: Partial<Settings> } = {},
): Promise<Dashboard> {
  const own = {
    operatorOidcIssuer: issuer,
    operatorOidcClientId: CLIENT_ID,
    operatorOidcRoles: [
      { group: 'pay-admins', roles: ['ADMIN'] },
      { group: 'pay-ops', roles: ['REVIEWER', 'TREASURER'] },
    ] as const,
  }
  return openDashboard(kit, {
    ...change,
    settings: { ...kit.florin.deps.settings, ...own, ...settings },
  })
}

export type StartedSignIn = Readonly<{
  /** With its name, as the browser sends it. */
  cookie: string
  url: string
  asked: URLSearchParams
}>

export async function startSignIn(
  board: Dashboard,
  path = '/sign-in/oidc',
): Promise<StartedSignIn> {
  const { status, headers, text } = await board.send(path)
  assert.equal(status, 302, text)
  const url = headers.get('location') ?? ''
  const cookie = headers.get('set-cookie')?.split(';')[0] ?? ''
  return { cookie, url, asked: new URL(url).searchParams }
}

/** The browser as the issuer sends it back. */
export const returnWith = (
  board: Dashboard,
  { cookie }: Pick<StartedSignIn, 'cookie'>,
  query: Readonly<Record<string, string>> | URLSearchParams,
): Promise<Shown> =>
  board.send(`${CALLBACK}?${new URLSearchParams(query)}`, { headers: { cookie } })

/** The browser of somebody whom the callback let in. */
export function visitorAfter(board: Dashboard, { headers, status, text }: Shown) {
  assert.equal(status, 200, text)
  const session = headers.getSetCookie().find((one) => one.startsWith('florin_dashboard='))
  return visitorWith(session?.split(';')[0] ?? '', board)
}
