/** The page of a review: what was submitted, what has changed since, papers, and what operators did before. */
import { html, type Html } from '../../../pages/html.ts'
import { rowsOf, type Row } from '../../ask.ts'
import { badge, inWords, NOTHING, shortId, textIn, timeOf, valueIn } from '../../cells.ts'
import { addressOf, formToken } from '../../layout.ts'
import type { Visit } from '../../section.ts'
import { linesOf, type Line } from '../record-lines.ts'
import {
  customerIdOf,
  isDecided,
  isOwnerReview,
  nameOf,
  outsideOf,
  papersOf,
  peopleOf,
  statusOf,
} from './review-file.ts'

export async function reviewView(row: Row, visit: Visit): Promise<Html> {
  return html`${isDecided(row) ? await nextView(visit) : ''} ${outsideView(row)} ${errorsView(row)}
  ${identityView(row, visit)} ${ownersView(row)} ${papersView(row, visit)}
  ${await historyView(row, visit)}`
}

/** After a decision the operator goes on with the oldest review in the queue. */
async function nextView(visit: Visit): Promise<Html> {
  const { platformId: platform } = visit
  const options = { limit: '1', ...(platform !== undefined && { platform }) }
  const [next] = rowsOf(await visit.ask('review list', { options }))
  if (!next) return html`<p class="about">Nothing else waits for a review.</p>`
  const id = encodeURIComponent(textIn(next, 'customerId'))
  return html`<p>
    <a class="button" href="${addressOf(visit, `/reviews/${id}`)}"
      >Next review: ${textIn(next, 'customerName')}</a
    >
    <span class="small">waiting since ${timeOf(textIn(next, 'submittedAt'))} UTC</span>
  </p>`
}

/** KYB-11, KYB-12: whom the decision is about, or not about. */
function outsideView(row: Row): Html {
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

function errorsView(row: Row): Html {
  const errors = rowsOf(valueIn(row, 'verification', 'errors'))
  if (errors.length === 0) return html``
  const about = (id: string): string => {
    const paper = papersOf(row).find((one) => one['id'] === id)
    if (paper) return inWords(textIn(paper, 'documentType'))
    return nameOf(peopleOf(row).find((one) => one['id'] === id) ?? row)
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
                <td data-title="What">${inWords(textIn(one, 'type'))}</td>
                <td data-title="With">${about(textIn(one, 'resourceId'))}</td>
                <td data-title="Field">${textIn(one, 'field') || NOTHING}</td>
                <td data-title="Reason">${textIn(one, 'reason')}</td>
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

function identityView(row: Row, visit: Visit): Html {
  const snapshot = valueIn(row, 'snapshot')
  const [submitted, present] = [valueIn(snapshot, 'customer'), row['customer']]
  const taken = textIn(snapshot, 'takenAt')
  const withNumber = [...linesOf(submitted), ...linesOf(present)].some(({ name }) =>
    ['identifier', 'taxId'].includes(name),
  )
  const withPaperNumber = papersOf(row).some((paper) => textIn(paper, 'documentNumber') !== '')
  const canReveal = withNumber || withPaperNumber || peopleOf(row).length > 0
  return html`<h2>
      ${taken === '' ? 'As it is now; nothing was submitted yet' : html`As submitted ${timeOf(taken)} UTC`}
    </h2>
    ${taken === '' ? linesView(linesOf(present), undefined) : linesView(linesOf(submitted), linesOf(present))}
    ${
      canReveal
        ? html`<form
            method="post"
            action="${addressOf(visit, `/reviews/${encodeURIComponent(customerIdOf(row))}/reveal`)}"
          >
            ${formToken(visit)}<button>Show government numbers</button>
            <span class="small">Leaves an audit entry.</span>
          </form>`
        : ''
    }`
}

function ownersView(row: Row): Html {
  const present = peopleOf(row)
  const submitted = rowsOf(valueIn(row, 'snapshot', 'beneficialOwners'))
  const isSubmitted = ({ id }: Row): boolean => submitted.some((one) => one['id'] === id)
  const shown = [...submitted, ...present.filter((one) => !isSubmitted(one))]
  if (shown.length === 0) return html``
  const outside = outsideOf(row).map(({ id }) => id)
  return html`<h2>Beneficial owners</h2>
    ${shown.map((owner) => {
      const now = present.find((one) => one['id'] === owner['id'])
      const status = textIn(now, 'kycStatus')
      const since = isSubmitted(owner) ? 'Changed' : 'Added'
      return html`<h3>
          ${nameOf(owner)} ${status === '' ? '' : badge(status)}
          ${
            outside.includes(owner['id'])
              ? html`<span class="changed">${since} after the submission, not covered by it</span>`
              : ''
          }
        </h3>
        ${linesView(linesOf(owner), now && linesOf(now))}`
    })}`
}

const isImage = (paper: Row): boolean => textIn(paper, 'mediaType').startsWith('image/')

function papersView(row: Row, visit: Visit): Html {
  const papers = papersOf(row)
  if (papers.length === 0)
    return html`<h2>Documents</h2>
      <p class="empty">None was uploaded.</p>`
  const holders = new Map([
    [customerIdOf(row), nameOf(row)],
    ...peopleOf(row).map((one) => [textIn(one, 'id'), nameOf(one)] as const),
  ])
  const submitted = rowsOf(valueIn(row, 'snapshot', 'documents')).map(({ id }) => id)
  const line = (paper: Row): Html => {
    const isLater = submitted.length > 0 && !submitted.includes(paper['id'])
    const side = textIn(paper, 'side')
    return html`<tr>
      <td data-title="Document">
        ${inWords(textIn(paper, 'documentType'))}${side && `, ${side.toLowerCase()}`}
        ${isLater ? html`<span class="changed">came after the submission</span>` : ''}
      </td>
      <td data-title="Of">${holders.get(textIn(paper, 'documentHolder')) ?? NOTHING}</td>
      <td data-title="Number">${textIn(paper, 'documentNumber') || NOTHING}</td>
      <td data-title="Issued by">
        ${[textIn(paper, 'issuingAuthority'), textIn(paper, 'country')].filter(Boolean).join(', ')}
      </td>
      <td data-title="Uploaded (UTC)">${timeOf(textIn(paper, 'createdAt'))}</td>
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
            ${['Document', 'Of', 'Number', 'Issued by', 'Uploaded (UTC)', 'File'].map(
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

const fileAddress = (paper: Row): string =>
  `/reviews/documents/${encodeURIComponent(textIn(paper, 'id'))}`

/** An image is shown in the page, once asked for; anything else is for the reviewer's own viewer. */
function fileLink(row: Row, paper: Row, { platformId }: Visit): Html {
  const name = textIn(paper, 'fileName')
  const what = html`<span class="unseen"> ${name}</span>`
  if (!isImage(paper)) {
    return html`<a href="${fileAddress(paper)}" download title="${name}">Download${what}</a>`
  }
  const query = new URLSearchParams({
    document: textIn(paper, 'id'),
    ...(platformId !== undefined && { platform: platformId }),
  })
  const href = `/reviews/${encodeURIComponent(customerIdOf(row))}?${query}#documents`
  return html`<a href="${href}" title="${name}">Show${what}</a>`
}

function shownPaper(papers: readonly Row[], { query }: Visit): Html {
  const paper = papers.find((one) => one['id'] === query.get('document'))
  if (!paper || !isImage(paper)) return html``
  const name = `${inWords(textIn(paper, 'documentType'))}, ${textIn(paper, 'fileName')}`
  return html`<figure>
    <img class="paper" src="${fileAddress(paper)}" alt="${name}" />
    <figcaption class="small">${name}</figcaption>
  </figure>`
}

/** What operators did to this customer and its verifications, newest first. */
const actionsOn = async (row: Row, visit: Visit): Promise<readonly Row[]> => {
  const verificationId = textIn(row, 'verification', 'id')
  const resource = [customerIdOf(row), verificationId].filter(Boolean)
  const options = { actor: 'operator:', action: 'review', resource, limit: '20' }
  return rowsOf(await visit.ask('audit list', { options }))
}

/** `review approve` is an approval here. */
const actionOf = (entry: Row): string => textIn(entry, 'action').replace(/^review /, '')

const operatorOf = (entry: Row): string => textIn(entry, 'actor').replace('operator:', '')

async function historyView(row: Row, visit: Visit): Promise<Html> {
  const entries = await actionsOn(row, visit)
  if (entries.length === 0) return html``
  return html`<h2>History</h2>
    <ol class="history">
      ${entries.map((entry) => {
        const [, snapshot = '', note = ''] =
          /^(?:snapshot (\S+?)|no snapshot)(?:: (.*))?$/s.exec(textIn(entry, 'note')) ?? []
        return html`<li>
          ${timeOf(textIn(entry, 'at'))}
          <strong>${operatorOf(entry)}</strong> ${actionOf(entry)}
          ${snapshot === '' ? '' : html`<span class="small">on ${shortId(snapshot)}</span>`}
          ${note === '' ? '' : html`<q>${note}</q>`}
        </li>`
      })}
    </ol>`
}

/** Tells an operator whose action was refused who acted before. */
export async function lastAction(row: Row, visit: Visit): Promise<readonly string[]> {
  const [last] = (await actionsOn(row, visit)).filter(({ action }) => action !== 'review reveal')
  const status = inWords(statusOf(row)).toLowerCase()
  if (!last) return [`The customer is ${status}.`]
  const at = textIn(last, 'at').slice(0, 16).replace('T', ' ')
  return [`Last was: ${operatorOf(last)}, ${actionOf(last)}, ${at} UTC. It is ${status} now.`]
}
