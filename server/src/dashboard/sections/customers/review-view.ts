/** The page of a review: what was submitted, what has changed since, papers, and what operators did before. */
import { html, type Html } from '../../../pages/html.ts'
import { badge, inWords, NOTHING, shortId, timeOf } from '../../cells/cells.ts'
import { jsonView } from '../../cells/json-view.ts'
import { addressOf, formToken } from '../../layout.ts'
import type { Visit } from '../../section.ts'
import { linesOf, type Line } from '../record-lines.ts'
import {
  isDecided,
  isOwnerReview,
  nameOf,
  outsideOf,
  statusOf,
  type Owner,
  type Paper,
  type Review,
  type Submitted,
} from './review-file.ts'
import { reviewCommands } from '../../../operator/commands/customers/review.ts'
import { actionsOfOperators, nameOfActor } from '../../audit-entries.ts'

export async function reviewView(row: Review, visit: Visit): Promise<Html> {
  return html`${isDecided(row) ? await nextView(visit) : ''} ${outsideView(row)}
  ${findingsView(row)} ${errorsView(row)} ${identityView(row, visit)} ${ownersView(row)}
  ${papersView(row, visit)} ${await historyView(row, visit)}`
}

/** After a decision the operator goes on with the oldest review in the queue. */
async function nextView(visit: Visit): Promise<Html> {
  const { platformId: platform } = visit
  const options = { limit: '1', ...(platform !== undefined && { platform }) }
  const [next] = await visit.ask(reviewCommands.list, { options })
  if (!next) return html`<p class="about">Nothing else waits for a review.</p>`
  const id = encodeURIComponent(next.customerId)
  return html`<p>
    <a class="button" href="${addressOf(visit, `/reviews/${id}`)}"
      >Next review: ${next.customerName ?? ''}</a
    >
    <span class="small">waiting since ${timeOf(next.submittedAt)}</span>
  </p>`
}

/** KYB-11, KYB-12: whom the decision is about, or not about. */
function outsideView(row: Review): Html {
  const outside = outsideOf(row)
  if (outside.length === 0 || (isDecided(row) && statusOf(row) !== 'APPROVED')) return html``
  const names = outside.map(nameOf).join(', ')
  return html`<p class="attention">
    <strong>Owners added or changed after the submission:</strong> ${names}.
    ${
      isOwnerReview(row)
        ? `This review is about them; the business itself is ${inWords(statusOf(row)).toLowerCase()}.`
        : isDecided(row)
          ? 'They hold too little to be reviewed by themselves, and are decided with the next review.'
          : 'They are not decided with it, and are reviewed by themselves once it is approved.'
    }
  </p>`
}

/** What screenings and alerts found, which the platform never sees (PROV-107). */
function findingsView({ flags, screenings, alerts }: Review): Html {
  if (flags.length + screenings.length + alerts.length === 0) return html``
  const reasons = flags.map(({ reason }) => inWords(reason)).join(', ')
  return html`<h2>Findings</h2>
    <p class="about">${reasons || 'Nothing open.'}</p>
    ${jsonView([...alerts, ...screenings])}`
}

function errorsView(row: Review): Html {
  const errors = row.verification?.errors ?? []
  if (errors.length === 0) return html``
  const about = (id: string): string => {
    const paper = row.documents.find((one) => one.id === id)
    if (paper) return inWords(paper.documentType)
    return nameOf(row.beneficialOwners.find((one) => one.id === id) ?? row.customer)
  }
  return html`<h2>Outstanding</h2>
    <div class="table">
      <table>
        <caption>
          Problems reported to the platform
        </caption>
        <thead>
          <tr>
            <th scope="col">What</th>
            <th scope="col">With</th>
            <th scope="col">Field</th>
            <th scope="col">Reason</th>
          </tr>
        </thead>
        <tbody>
          ${errors.map(
            (one) =>
              html`<tr>
                <td data-title="What">${inWords(one.type)}</td>
                <td data-title="With">${about(one.resourceId)}</td>
                <td data-title="Field">${one.field ?? NOTHING}</td>
                <td data-title="Reason">${one.reason ?? ''}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`
}

/** What is different now stands beside what was submitted: the decision is about the latter (VER-9). */
function linesView(lines: readonly Line[], now: readonly Line[] | undefined): Html {
  return html`<dl class="facts">
    ${lines.map(({ name, label, value }) => {
      const present = now?.find((one) => one.name === name)
      const isChanged = present !== undefined && present.value !== value
      return html`<div>
        <dt>${label}</dt>
        <dd>
          ${value || NOTHING}
          ${isChanged ? html`<span class="changed">now ${present.value || 'nothing'}</span>` : ''}
        </dd>
      </div>`
    })}
  </dl>`
}

function identityView(row: Review, visit: Visit): Html {
  const { snapshot, customer: present, documents, beneficialOwners } = row
  const submitted = snapshot?.customer
  const taken = snapshot?.takenAt ?? ''
  const withNumber = [...linesOf(submitted), ...linesOf(present)].some(({ name }) =>
    ['identifier', 'taxId'].includes(name),
  )
  const withPaperNumber = documents.some(({ documentNumber = '' }) => documentNumber !== '')
  const canReveal = withNumber || withPaperNumber || beneficialOwners.length > 0
  return html`<h2>
      ${taken === '' ? 'As it is now; nothing was submitted yet' : html`As submitted ${timeOf(taken)}`}
    </h2>
    ${taken === '' ? linesView(linesOf(present), undefined) : linesView(linesOf(submitted), linesOf(present))}
    ${
      canReveal
        ? html`<form
            method="post"
            action="${addressOf(visit, `/reviews/${encodeURIComponent(row.customer.id)}/reveal`)}"
          >
            ${formToken(visit)}<button>Show government numbers</button>
            <span class="small">Leaves an audit entry.</span>
          </form>`
        : ''
    }`
}

function ownersView(row: Review): Html {
  const present = row.beneficialOwners
  const submitted = row.snapshot?.beneficialOwners ?? []
  const isSubmitted = ({ id }: Owner | Submitted): boolean =>
    submitted.some((one) => one['id'] === id)
  const shown = [...submitted, ...present.filter((one) => !isSubmitted(one))]
  if (shown.length === 0) return html``
  const outside: readonly unknown[] = outsideOf(row).map(({ id }) => id)
  return html`<h2>Beneficial owners</h2>
    ${shown.map((owner) => {
      const now = present.find(({ id }) => id === owner.id)
      const since = isSubmitted(owner) ? 'Changed' : 'Added'
      return html`<h3>
          ${nameOf(owner)} ${now ? badge(now.kycStatus) : ''}
          ${
            outside.includes(owner.id)
              ? html`<span class="changed">${since} after the submission, not covered by it</span>`
              : ''
          }
        </h3>
        ${linesView(linesOf(owner), now && linesOf(now))}`
    })}`
}

const isImage = ({ mediaType }: Paper): boolean => mediaType.startsWith('image/')

function papersView(row: Review, visit: Visit): Html {
  const { documents: papers, customer, beneficialOwners } = row
  if (papers.length === 0)
    return html`<h2>Documents</h2>
      <p class="empty">None was uploaded.</p>`
  const holders = new Map([
    [customer.id, nameOf(customer)],
    ...beneficialOwners.map((one) => [one.id, nameOf(one)] as const),
  ])
  const submitted = (row.snapshot?.documents ?? []).map(({ id }) => id)
  const line = (paper: Paper): Html => {
    const isLater = submitted.length > 0 && !submitted.includes(paper.id)
    const { side = '' } = paper
    return html`<tr>
      <td data-title="Document">
        ${inWords(paper.documentType)}${side && `, ${side.toLowerCase()}`}
        ${isLater ? html`<span class="changed">came after the submission</span>` : ''}
      </td>
      <td data-title="Of">${holders.get(paper.documentHolder) ?? NOTHING}</td>
      <td data-title="Number">${paper.documentNumber ?? NOTHING}</td>
      <td data-title="Issued by">
        ${[paper.issuingAuthority, paper.country].filter(Boolean).join(', ')}
      </td>
      <td data-title="Uploaded">${timeOf(paper.createdAt)}</td>
      <td data-title="File">${fileLink(row, paper, visit)}</td>
    </tr>`
  }
  return html`<h2 id="documents">Documents</h2>
    <div class="table">
      <table>
        <caption>
          Documents: ${String(papers.length)}. Opening one leaves an audit entry.
        </caption>
        <thead>
          <tr>
            ${['Document', 'Of', 'Number', 'Issued by', 'Uploaded', 'File'].map(
              (title) => html`<th scope="col">${title}</th>`,
            )}
          </tr>
        </thead>
        <tbody>
          ${papers.map(line)}
        </tbody>
      </table>
    </div>
    ${shownPaper(papers, visit)}`
}

const fileAddress = ({ id }: Paper): string => `/reviews/documents/${encodeURIComponent(id)}`

/** An image is shown in the page, once asked for; anything else is for the reviewer's own viewer. */
function fileLink(row: Review, paper: Paper, { platformId }: Visit): Html {
  const { fileName: name } = paper
  const what = html`<span class="unseen"> ${name}</span>`
  if (!isImage(paper)) {
    return html`<a href="${fileAddress(paper)}" download title="${name}">Download${what}</a>`
  }
  const query = new URLSearchParams({
    document: paper.id,
    ...(platformId !== undefined && { platform: platformId }),
  })
  const href = `/reviews/${encodeURIComponent(row.customer.id)}?${query}#documents`
  return html`<a href="${href}" title="${name}">Show${what}</a>`
}

function shownPaper(papers: readonly Paper[], { query }: Visit): Html {
  const paper = papers.find((one) => one.id === query.get('document'))
  if (!paper || !isImage(paper)) return html``
  const name = `${inWords(paper.documentType)}, ${paper.fileName}`
  return html`<figure>
    <img class="paper" src="${fileAddress(paper)}" alt="${name}" />
    <figcaption class="small">${name}</figcaption>
  </figure>`
}

/** What operators did to this customer and its verifications, newest first. */
const actionsOn = ({ customer, verification }: Review, visit: Visit) => {
  const resource = [customer.id, ...(verification ? [verification.id] : [])]
  return actionsOfOperators(visit, { action: 'review', resource })
}

type Entry = Awaited<ReturnType<typeof actionsOn>>[number]

/** `review approve` is an approval here. */
const actionOf = ({ action }: Entry): string => action.replace(/^review /, '')

async function historyView(row: Review, visit: Visit): Promise<Html> {
  const entries = await actionsOn(row, visit)
  if (entries.length === 0) return html``
  return html`<h2>History</h2>
    <ol class="history">
      ${entries.map((entry) => {
        const [, snapshot = '', note = ''] =
          /^(?:snapshot (\S+?)|no snapshot)(?:: (.*))?$/s.exec(entry.note ?? '') ?? []
        return html`<li>
          ${timeOf(entry.at)}
          <strong>${nameOfActor(entry)}</strong> ${actionOf(entry)}
          ${snapshot === '' ? '' : html`<span class="small">on ${shortId(snapshot)}</span>`}
          ${note === '' ? '' : html`<q>${note}</q>`}
        </li>`
      })}
    </ol>`
}

/** Tells an operator whose action was refused who acted before. */
export async function lastAction(row: Review, visit: Visit): Promise<readonly string[]> {
  const [last] = (await actionsOn(row, visit)).filter(({ action }) => action !== 'review reveal')
  const status = inWords(statusOf(row)).toLowerCase()
  if (!last) return [`The customer is ${status}.`]
  const at = last.at.slice(0, 16).replace('T', ' ')
  return [`Last was: ${nameOfActor(last)}, ${actionOf(last)}, ${at} UTC. It is ${status} now.`]
}
