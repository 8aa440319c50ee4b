/** Serves what a section declares: its list, the pages of what is in it, and the forms that do something. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { unstorableValues } from '../infra/http/input/unstorable-values.ts'
import { fail } from '../kernel/errors.ts'
import { mustBeCallable } from '../operator/access/must-be-allowed.ts'
import type { WireProposal } from '../operator/proposals/proposal.ts'
import { html } from '../pages/html.ts'
import { refusalOf, type Refused, type Row } from './ask.ts'
import { actionForm, FORM_KEY, optionsOf, argumentsIn } from './screens/action-form.ts'
import { codeColumn, inWords } from './cells/cells.ts'
import { detailScreen, factsView } from './screens/detail-page.ts'
import { typedIn } from './gate.ts'
import { addressOf, HEADERS } from './layout.ts'
import { serveSavedFilters } from './screens/save-filter.ts'
import { isFormOutdated, OUTDATED_FORM } from './screens/sign-in/kept-form.ts'
import { sendCsv } from './screens/list-csv.ts'
import { findRow, listScreen, pageOf } from './screens/list-page.ts'
import {
  PROPOSALS,
  type Action,
  type Gate,
  type Screen,
  type Section,
  type Visit,
} from './section.ts'

/** The gate lets a form of an earlier session through, marked: its route shows it again. */
const SHOWS_FORM_AGAIN = { config: { showsFormAgain: true } }

export function serveSection(scope: FastifyInstance, gate: Gate, section: Section): void {
  const { path, detail, actions = [] } = section
  section.routes?.(scope, gate)
  scope.get(`/${path}`, async (request, reply) => {
    const visit = await gate.visit(request)
    const id = visit.query.get('id')?.trim() ?? ''
    if (detail && id !== '')
      return reply.headers(HEADERS).redirect(pageOf(visit, { path, id }), 303)
    return gate.show(reply, visit, await listScreen(section, visit))
  })
  serveSavedFilters(scope, gate, section)
  scope.get(`/${path}.csv`, async (request, reply) =>
    sendCsv(reply, section, await gate.visit(request)),
  )
  for (const action of actions) serveSectionAction(scope, gate, { section, action })
  if (!detail) return
  scope.get(`/${path}/:id`, async (request, reply) => {
    const visit = await gate.visit(request)
    const { id } = request.params as { id: string }
    const row = (await readRow(section, visit, id)) ?? fail('REFERENCE_NOT_FOUND')
    return gate.show(reply, visit, await detailScreen(section, visit, { id, row }))
  })
  for (const action of detail.actions ?? []) {
    scope.post(`/${path}/:id/${action.name}`, SHOWS_FORM_AGAIN, (request, reply) =>
      act(gate, { section, action, request, reply }),
    )
  }
}

/** Undefined where it is not in its list any more, or nothing can have this id; a command fails by itself. */
async function readRow(section: Section, visit: Visit, id: string): Promise<Row | undefined> {
  if (unstorableValues(id).length > 0) return undefined
  const command = section.detail?.command
  return command === undefined ? findRow(section, visit, id) : visit.ask(command, { args: [id] })
}

type Doing = Readonly<{
  section: Section
  action: Action
  request: FastifyRequest
  reply: FastifyReply
}>

const MOVED_ON = 409
const OUTDATED =
  'It has changed since you opened this page. What you see now is its present state; look again, then decide.'
const GONE = 'Already handled or expired.'

/** Runs the command. Refused, the page is shown as things are now, with why, and what was typed is still there. */
async function act(gate: Gate, { section, action, request, reply }: Doing) {
  const visit = await gate.visit(request)
  const { path } = section
  const { id } = request.params as { id: string }
  const typed = typedIn(request)
  const refuse = async (refused: Refused) => {
    const screen = await refusedScreen(section, visit, { id, refused, action, typed })
    return gate.show(reply, visit, screen)
  }
  if (isFormOutdated(request)) return refuse({ status: MOVED_ON, says: [OUTDATED_FORM] })
  const row = await readRow(section, visit, id)
  if (!row || isOutdated(section, row, typed)) return refuse({ status: MOVED_ON, says: [OUTDATED] })
  const args = [...(action.args?.(row, typed) ?? [id]), ...argumentsIn(action, typed)]
  let answered
  try {
    answered = await visit.submit(
      action.command,
      { args, options: optionsOf(action, row, typed) },
      typed.get(FORM_KEY) ?? '',
    )
  } catch (error) {
    return refuse(refusalOf(error))
  }
  if (answered.proposal) return leadToProposal(gate, visit, { request, reply, ...answered })
  if (showsAnswer(action, row)) {
    return gate.show(reply, visit, answerScreen({ section, action }, visit, answered))
  }
  const isThere = !action.endsIt && (await readRow(section, visit, id)) !== undefined
  const location = isThere ? pageOf(visit, { path, id }) : addressOf(visit, `/${path}`)
  return gate.leadTo(request, reply, { location, notice: action.done })
}

type Proposing = Pick<Doing, 'request' | 'reply'> & Readonly<{ proposal: WireProposal }>

/** Nothing is done yet: the next page is what another operator decides about (OPER-23). */
function leadToProposal(gate: Gate, visit: Visit, { request, reply, proposal }: Proposing) {
  const location = pageOf(visit, { path: PROPOSALS, id: proposal.proposalId })
  const notice = 'Proposed. Nothing has changed yet: another operator has to approve it.'
  return gate.leadTo(request, reply, { location, notice })
}

const showsAnswer = ({ showsAnswerOf, showsAnswer: shows = false }: Action, row: Row): boolean =>
  showsAnswerOf?.(row) ?? shows

function isOutdated({ detail }: Section, row: Row, typed: URLSearchParams): boolean {
  const seen = typed.get('seen')
  return detail?.versionOf !== undefined && seen !== null && seen !== detail.versionOf(row)
}

type Refusing = Readonly<{ id: string; refused: Refused; action: Action; typed: URLSearchParams }>

async function refusedScreen(
  section: Section,
  visit: Visit,
  { id, refused: { status, says }, action, typed }: Refusing,
): Promise<Screen> {
  const row = await readRow(section, visit, id)
  if (!row) return { ...(await listScreen(section, visit)), status, problems: [GONE] }
  const why = status === MOVED_ON ? ((await section.detail?.explain?.(row, visit)) ?? []) : []
  const attempt = { action: action.name, typed }
  const screen = await detailScreen(section, visit, { id, row, attempt })
  return { ...screen, status, problems: [...says, ...why] }
}

function serveSectionAction(
  scope: FastifyInstance,
  gate: Gate,
  { section, action }: Pick<Doing, 'section' | 'action'>,
): void {
  const path = `/${section.path}/-/${action.name}`
  const formScreen = (visit: Visit, typed?: URLSearchParams): Screen => ({
    title: action.label,
    within: section.path,
    back: { href: addressOf(visit, `/${section.path}`), title: section.title },
    body: html`<div class="alone-form">
      ${actionForm(visit, { action, row: {}, address: addressOf(visit, path), typed })}
    </div>`,
  })
  scope.get(path, async (request, reply) => {
    const visit = await gate.visit(request)
    mustBeCallable(visit.caller, action.command)
    return gate.show(reply, visit, formScreen(visit))
  })
  scope.post(path, SHOWS_FORM_AGAIN, async (request, reply) => {
    const visit = await gate.visit(request)
    const typed = typedIn(request)
    const refuse = ({ status, says }: Refused) =>
      gate.show(reply, visit, { ...formScreen(visit, typed), status, problems: says })
    if (isFormOutdated(request)) return refuse({ status: MOVED_ON, says: [OUTDATED_FORM] })
    const args = [...(action.args?.({}, typed) ?? []), ...argumentsIn(action, typed)]
    let answered
    try {
      answered = await visit.submit(
        action.command,
        { args, options: optionsOf(action, {}, typed) },
        typed.get(FORM_KEY) ?? '',
      )
    } catch (error) {
      return refuse(refusalOf(error))
    }
    if (answered.proposal) return leadToProposal(gate, visit, { request, reply, ...answered })
    if (showsAnswer(action, {})) {
      return gate.show(reply, visit, answerScreen({ section, action }, visit, answered))
    }
    const location = addressOf(visit, `/${section.path}`)
    return gate.leadTo(request, reply, { location, notice: action.done })
  })
}

const KEEP = 'Keep what you need of this: it is not shown again.'
const SENT_BEFORE =
  'This form was sent before, and it was done once. What is shown only once was shown then: if you did not see it, take this back and make another.'

/** Everything of an answer, line by line: it is shown this once. */
function answerScreen(
  { section, action }: Pick<Doing, 'section' | 'action'>,
  visit: Visit,
  { answer, isReplay = false }: Readonly<{ answer: unknown; isReplay?: boolean }>,
): Screen {
  const row = answer as Row
  const facts = Object.keys(row).map((name) => codeColumn<Row>(named(name), name))
  return {
    title: action.done,
    isAnswer: true,
    within: section.path,
    back: { href: addressOf(visit, `/${section.path}`), title: section.title },
    body:
      (isReplay ? undefined : action.answerView?.(answer, visit)) ??
      html`<p class="about">${isReplay ? SENT_BEFORE : KEEP}</p>
        ${factsView(facts, row, visit)}`,
  }
}

/** `clientSecret` as people write it. */
const named = (name: string): string => inWords(name.replace(/[A-Z]/g, (letter) => `_${letter}`))
