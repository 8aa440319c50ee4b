/** The operators' dashboard over HTTP, as a browser uses it. */
import assert from 'node:assert/strict'
import { after } from 'node:test'
import { fastify, type FastifyInstance } from 'fastify'
import { createAdminServer } from '../../../src/app/admin-server.ts'
import { registerDashboard } from '../../../src/dashboard/dashboard.ts'
import type { Section } from '../../../src/dashboard/section.ts'
import type { Deps } from '../../../src/infra/deps.ts'
import { createLink } from '../../../src/operator/sign-in/dashboard-access.ts'
import type { Kit } from '../florin.ts'

export type Shown = Readonly<{ status: number; headers: Headers; text: string }>

export type Visitor = Readonly<{
  cookie: string
  get(path: string, headers?: Record<string, string>): Promise<Shown>
  /** Sends a form as a page of ours would; `fields` may say another form token. */
  post(
    path: string,
    fields?: Record<string, string> | URLSearchParams,
    headers?: Record<string, string>,
  ): Promise<Shown>
}>

export type Dashboard = Readonly<{
  origin: string
  deps: Deps
  /** A one-time address. */
  link(name?: string): Promise<string>
  signIn(name?: string): Promise<Visitor>
  send(path: string, init?: RequestInit): Promise<Shown>
}>

/** The admin listener of the kit's service on a free port; `deps` may have another clock. */
export async function openDashboard(
  { florin }: Pick<Kit, 'florin'>,
  change: Partial<Deps> = {},
): Promise<Dashboard> {
  const deps = { ...florin.deps, ...change }
  return serveOn(createAdminServer({ deps, metrics: florin.metrics }), deps)
}

/** A dashboard of other sections, for what any section can declare. */
export async function openSections(
  { florin: { deps } }: Pick<Kit, 'florin'>,
  sections: readonly Section[],
): Promise<Dashboard> {
  const admin = fastify()
  registerDashboard(admin, deps, sections)
  return serveOn(admin, deps)
}

async function serveOn(admin: FastifyInstance, deps: Deps): Promise<Dashboard> {
  const origin = await admin.listen({ host: '127.0.0.1', port: 0 })
  after(() => admin.close())
  const send: Dashboard['send'] = async (path, init = {}) => {
    const response = await fetch(new URL(path, origin), { redirect: 'manual', ...init })
    const { status, headers } = response
    return { status, headers, text: await response.text() }
  }
  const link = async (name = 'anna'): Promise<string> =>
    (await createLink(deps, { name, origin })).url
  return {
    origin,
    deps,
    link,
    send,
    async signIn(name) {
      const secret = (await link(name)).split('/').at(-1) ?? ''
      const body = new URLSearchParams({ secret })
      const answer = await send('/sign-in', { method: 'POST', body, headers: { origin } })
      assert.equal(answer.status, 303, answer.text)
      return visitorWith(answer.headers.get('set-cookie')?.split(';')[0] ?? '', { origin, send })
    },
  }
}

/** Every page in the frame has a form to sign out; this one is shown to every operator. */
const ANY_PAGE = '/no-such-page'

export function visitorWith(
  cookie: string,
  { origin, send }: Pick<Dashboard, 'origin' | 'send'>,
): Visitor {
  const get: Visitor['get'] = (path, headers = {}) =>
    send(path, { headers: { cookie, ...headers } })
  return {
    cookie,
    get,
    async post(path, fields = {}, headers = {}) {
      const body = new URLSearchParams(fields)
      if (!body.has('formToken')) body.set('formToken', formTokenOf((await get(ANY_PAGE)).text))
      return send(path, { method: 'POST', body, headers: { cookie, origin, ...headers } })
    },
  }
}

export function formTokenOf(page: string): string {
  const [, token = ''] = /name="formToken" value="([^"]+)"/.exec(page) ?? []
  assert.notEqual(token, '', 'the page has a form')
  return token
}
