/** The page behind `kycUrl`: it works without script and uses the API's use-cases (chapter 11, section 8). */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../../kernel/errors.ts'
import { acceptForms, withForm } from '../../infra/http/input/accept-forms.ts'
import { toApiError } from '../../infra/db/statement/constraints.ts'
import { findBrand } from '../branding/brand.ts'
import { backTo, PRIVATE_HEADERS, sendPage, type HostedPage } from '../hosted-page.ts'
import { localeOf } from '../language/locale.ts'
import type { PageHost } from '../page-host.ts'
import { readApplicant, type Applicant } from './applicant.ts'
import { submit, type Act } from './applicant-actions.ts'
import { detailsForm, detailsView, saveDetails, withRow } from './details/details-form.ts'
import { documentsView } from './documents/documents-view.ts'
import type { Frame } from './flow-page.ts'
import { createLinkGate, type LinkGate } from './link-gate.ts'
import { DOCUMENT_FORM, registerLinkApi } from './link-api.ts'
import { ownersView, ownerView, saveOwner } from './details/owners-form.ts'
import { findTask } from './documents/paper-tasks.ts'
import { reviewView } from './review-view.ts'
import { finishedView, noticeView, settledView } from './settled-views.ts'
import { nextStep, stepsOf, type StepName } from './steps.ts'
import { takePaper, tooLarge } from './documents/take-paper.ts'

const FOLDER = '/verify/'
const PATH = `${FOLDER}:token`

export function registerVerificationPage(http: FastifyInstance, host: PageHost): void {
  keepPrivate(http)
  const gate = createLinkGate(host)
  registerLinkApi(http, host, gate)
  void http.register(async (scope) => {
    scope.setErrorHandler(showError)
    registerSteps(scope, host, gate)
  })
  void http.register(async (scope) => {
    scope.setErrorHandler(showError)
    acceptForms(scope)
    scope.post(`${PATH}/papers`, async (request, reply) => {
      const opened = await open(host, gate, request)
      return opened.applicant.stage === 'APPLYING'
        ? takePapers(opened, request, reply)
        : home(opened, reply)
    })
  })
}

/** Headers of every answer below a link, also of unknown paths, since the address is a secret. */
function keepPrivate(http: FastifyInstance): void {
  http.addHook('onSend', (request, reply, _payload, done) => {
    if (request.url.startsWith(FOLDER)) {
      const missing = Object.entries(PRIVATE_HEADERS).filter(([name]) => !reply.hasHeader(name))
      void reply.headers(Object.fromEntries(missing))
    }
    done()
  })
}

type Opened = Readonly<{ act: Act; applicant: Applicant; frame: Frame }>

async function open(host: PageHost, gate: LinkGate, request: FastifyRequest): Promise<Opened> {
  const act = await gate.enter(request)
  const applicant = await readApplicant(host, act.visit)
  const up = request.method === 'GET' || request.method === 'HEAD' ? '' : '../'
  const { legalName: serviceName, publicUrl } = host.deps.settings
  const brand = await findBrand(host, act.visit.platform)
  return {
    act,
    applicant,
    frame: { applicant, brand, serviceName, publicUrl, up, locale: localeOf(request) },
  }
}

/** Redirects to the link, which opens the first incomplete step. */
const home = ({ applicant, frame }: Opened, reply: FastifyReply, query = '') =>
  backTo(reply, frame.locale.keep(`../${encodeURIComponent(applicant.token)}${query}`))

/** The first of several values counts. */
const queryOf = ({ query }: FastifyRequest): Readonly<Partial<Record<string, string>>> =>
  Object.fromEntries(
    Object.entries(query as Record<string, string | string[]>).map(([name, value]) => [
      name,
      [value].flat()[0] ?? '',
    ]),
  )

const typedIn = ({ body }: FastifyRequest): URLSearchParams =>
  new URLSearchParams(Buffer.isBuffer(body) ? body.toString('utf8') : '')

function registerSteps(scope: FastifyInstance, host: PageHost, gate: LinkGate): void {
  scope.get(PATH, async (request, reply) => {
    const opened = await open(host, gate, request)
    return sendPage(reply, pageOf(opened, request))
  })
  scope.post(`${PATH}/details`, async (request, reply) => {
    const opened = await open(host, gate, request)
    if (opened.applicant.stage !== 'APPLYING') return home(opened, reply)
    return takeDetails(host, opened, { typed: typedIn(request), reply })
  })
  scope.post(`${PATH}/owners`, async (request, reply) => {
    const opened = await open(host, gate, request)
    if (opened.applicant.stage !== 'APPLYING') return home(opened, reply)
    const typed = typedIn(request)
    const errors = await saveOwner(opened.act, opened.frame, typed)
    if (errors.length === 0) return home(opened, reply, '?step=owners')
    const { keyring } = host.deps
    const ownerId = typed.get('person') ?? 'new'
    return sendPage(reply, ownerView(opened.frame, { keyring, ownerId, typed, errors }))
  })
  scope.post(`${PATH}/finish`, async (request, reply) => {
    const opened = await open(host, gate, request)
    return finish(opened, reply)
  })
  // A refused form is shown at the address that it was sent to, and a browser may load that again.
  for (const [form, query] of Object.entries(PAGES_OF_FORMS)) {
    scope.get(`${PATH}/${form}`, async (request, reply) =>
      home(await open(host, gate, request), reply, query),
    )
  }
}

const PAGES_OF_FORMS = {
  details: '?step=details',
  owners: '?step=owners',
  papers: '?step=documents',
  finish: '?step=review',
}

const STEPS: readonly StepName[] = ['details', 'owners', 'documents', 'review']

function pageOf({ act, applicant, frame }: Opened, request: FastifyRequest): HostedPage {
  if (applicant.stage !== 'APPLYING') return settledView(frame)
  const query = queryOf(request)
  const { keyring } = act.host.deps
  const asked = STEPS.find((name) => name === query['step'])
  const isThere = stepsOf(applicant).some(({ name }) => name === asked)
  switch (isThere && asked ? asked : nextStep(applicant)) {
    case 'details':
      return detailsView(frame, { form: detailsForm(keyring, applicant) })
    case 'owners':
      return query['person'] === undefined
        ? ownersView(frame)
        : ownerView(frame, { keyring, ownerId: query['person'] })
    case 'documents':
      return documentsView(frame, { key: query['for'] })
    case 'review':
      return reviewView(frame, { keyring })
  }
}

async function takeDetails(
  { deps: { keyring } }: PageHost,
  opened: Opened,
  { typed, reply }: Readonly<{ typed: URLSearchParams; reply: FastifyReply }>,
) {
  const { act, applicant, frame } = opened
  const form = detailsForm(keyring, applicant, typed)
  const longer = withRow(typed)
  if (longer) return sendPage(reply, detailsView(frame, { form, typed: longer, errors: [] }))
  const { customerType } = applicant.customer
  const errors = await saveDetails(act, { form, typed, customerType, locale: frame.locale })
  if (errors.length === 0) return home(opened, reply)
  // The valid fields are saved by now, so the state is read again.
  const after = await readApplicant(act.host, act.visit)
  const shown = { form: detailsForm(keyring, after, typed), typed, errors }
  return sendPage(reply, detailsView({ ...frame, applicant: after }, shown))
}

async function takePapers(opened: Opened, request: FastifyRequest, reply: FastifyReply) {
  const { act, applicant, frame } = opened
  const key = queryOf(request)['for'] ?? ''
  const task = findTask(applicant, key, frame.locale)
  if (!task) return home(opened, reply, '?step=documents')
  try {
    return await withForm(act.host.deps, { request, ...DOCUMENT_FORM }, async (form) => {
      const errors = await takePaper(act, { task, form, locale: frame.locale })
      if (errors.length === 0) return home(opened, reply)
      return sendPage(reply, documentsView(frame, { key, typed: form.parts, errors }))
    })
  } catch (error) {
    // Reading the form stops at a file that is too large, so its other fields are unknown.
    if (!(error instanceof ApiError) || error.code !== 'PAYLOAD_TOO_LARGE') throw error
    return sendPage(reply, documentsView(frame, { key, errors: tooLarge(frame.locale) }))
  }
}

async function finish(opened: Opened, reply: FastifyReply) {
  const { act, frame } = opened
  const submission = await submit(act).catch((error: unknown) => {
    if (error instanceof ApiError && error.code === 'CONFLICT') return undefined
    throw error
  })
  if (submission?.verificationStatus === 'RESOLVE_ERRORS')
    return home(opened, reply, '?step=review')
  if (submission) return sendPage(reply, finishedView(frame, submission))
  const message = frame.locale.say('review.contact')
  const errors = [{ field: undefined, message }]
  return sendPage(reply, reviewView(frame, { keyring: act.host.deps.keyring, errors }))
}

/** Errors without a page of their own are answered as elsewhere. */
function showError(error: Error, request: FastifyRequest, reply: FastifyReply) {
  const { code, headers } = toApiError(error)
  const page = noticeView(localeOf(request), code)
  if (!page) throw error
  if (headers) void reply.headers(headers)
  return sendPage(reply, page)
}
