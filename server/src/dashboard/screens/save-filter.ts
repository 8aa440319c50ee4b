/** Keeps the filters of a list under a name, and deletes them again (OPER-124). */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { filterCommands } from '../../operator/commands/operators/saved-filters.ts'
import { refusalOf } from '../ask.ts'
import { typedIn } from '../gate.ts'
import type { Gate, Section } from '../section.ts'
import { listScreen } from './list-page.ts'

export function serveSavedFilters(scope: FastifyInstance, gate: Gate, section: Section): void {
  const { path, list } = section
  if (!list.filters) return
  scope.post(`/${path}/-/save-filter`, (request, reply) => {
    const query = typedIn(request).get('query') ?? ''
    const location = `/${path}?${new URLSearchParams(query)}`
    return submit({ gate, section, request, reply }, 'save', { query, location })
  })
  scope.post(`/${path}/-/delete-filter`, (request, reply) =>
    submit({ gate, section, request, reply }, 'delete', { location: `/${path}` }),
  )
}

type Doing = Readonly<{
  gate: Gate
  section: Section
  request: FastifyRequest
  reply: FastifyReply
}>

const DONE = { save: 'The filters are kept.', delete: 'The filters are kept no longer.' }

async function submit(
  { gate, section, request, reply }: Doing,
  what: 'save' | 'delete',
  { query, location }: Readonly<{ query?: string; location: string }>,
) {
  const visit = await gate.visit(request)
  const name = typedIn(request).get('name') ?? ''
  const options = { section: section.path, name, ...(query !== undefined && { query }) }
  try {
    await visit.submit(filterCommands[what], { options })
  } catch (error) {
    const { status, says } = refusalOf(error)
    return gate.show(reply, visit, {
      ...(await listScreen(section, visit)),
      status,
      problems: says,
    })
  }
  return gate.leadTo(request, reply, { location, notice: DONE[what] })
}
