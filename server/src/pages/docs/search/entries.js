/** What can be found, and by which words: operations, groups, error codes, events and guides. */
import { isOwnInput } from '../try-it/request.js'
import { createFieldReader } from '../schema/schema-fields.js'
import { SYNONYMS } from './synonyms.js'

/** How much a match says, by where it is. A synonym is an answer to the very word. */
const WEIGHT = {
  synonym: 160,
  title: 100,
  id: 100,
  group: 85,
  path: 60,
  parameter: 40,
  field: 70,
  answerField: 20,
  value: 30,
  answerValue: 8,
  text: 12,
  code: 110,
  codeWord: 60,
  raised: 25,
  guide: 75,
  section: 60,
  guideText: 10,
}
/** @type {[string, string][]} */
const PAGES = [
  ['#', 'Overview'],
  ['#errors', 'Errors'],
  ['#webhooks', 'Webhooks'],
]
const BELOW = 0.93
const SYNONYM_STEP = 10
const DEPRECATED = 0.5

/**
 * @typedef {import('./search-index.js').Entry} Entry
 * @typedef {import('./search-index.js').Term} Term
 * @param {import('../model.js').Model} model
 * @param {import('../guides/guide-text.js').GuideGroup[]} guideGroups
 * @returns {Entry[]}
 */
export function createEntries(model, guideGroups) {
  const fieldsOf = {
    request: createFieldReader(model.reader, 'request'),
    response: createFieldReader(model.reader, 'response'),
  }
  const entries = [
    ...PAGES.map(([href, title]) => ({
      href,
      title,
      terms: [{ text: title, weight: WEIGHT.title }],
    })),
    ...model.operations.map((operation) => operationEntry(operation, fieldsOf)),
    ...model.groups.filter(({ operations }) => operations.length > 1).map(groupEntry),
    ...model.webhooks.map((event) => eventEntry(event, fieldsOf)),
    ...model.errors.map(errorEntry),
    ...guideGroups.flatMap(({ guides }) => guides.flatMap(guideEntries)),
  ]
  const byHref = new Map(entries.map((entry) => [entry.href, entry]))
  for (const { words, leadTo } of SYNONYMS) {
    for (const [at, target] of leadTo.entries()) {
      const entry = byHref.get(`#${target}`)
      entry?.terms.push(...synonymTerms(words, { at, detail: entry.detail }))
    }
  }
  return entries
}

/**
 * @typedef {(schema: any) => import('../schema/schema-fields.js').Fields} ReadFields
 * @typedef {{ request: ReadFields, response: ReadFields }} FieldsOf
 * @param {import('../model.js').Operation} operation
 * @param {FieldsOf} fieldsOf
 * @returns {Entry}
 */
function operationEntry(operation, fieldsOf) {
  const { id, title, method, path, tag, description = '' } = operation
  const success = operation.responses.find(([status]) => status.startsWith('2'))?.[1]
  const answer = /** @type {any[]} */ (Object.values(success?.content ?? {}))[0]?.schema
  const terms = [
    { text: title, weight: WEIGHT.title },
    { text: id, weight: WEIGHT.id },
    { text: path, weight: WEIGHT.path },
    { text: `${method} ${path}`, weight: WEIGHT.id, whole: true },
    ...[tag, method, operation.permission ?? ''].map((text) => ({ text, weight: WEIGHT.text })),
    { text: description, weight: WEIGHT.text, why: 'in its description' },
    ...operation.parameters.filter((one) => !isOwnInput(one)).flatMap(parameterTerms),
    ...fieldTerms(fieldsOf.request(operation.body?.content.schema), 'body'),
    ...fieldTerms(fieldsOf.response(answer), 'answer'),
    ...operation.errors.map((code) => ({
      text: code,
      weight: WEIGHT.raised,
      why: `may refuse with ${code}`,
    })),
  ]
  return {
    href: `#${id}`,
    title,
    method,
    detail: path,
    terms: operation.deprecated
      ? terms.map((term) => ({ ...term, weight: term.weight * DEPRECATED }))
      : terms,
  }
}

/**
 * @param {any} parameter
 * @returns {Term[]}
 */
function parameterTerms({ name, description = '' }) {
  return [
    { text: name, weight: WEIGHT.parameter, why: `parameter ${name}` },
    { text: description, weight: WEIGHT.text, why: `parameter ${name}` },
  ]
}

/**
 * What one sends is looked for more than what comes back, so only its descriptions are read.
 * @param {import('../schema/schema-fields.js').Fields} fields
 * @param {'body' | 'answer'} of
 */
function fieldTerms(fields, of) {
  const isSent = of === 'body'
  /** @type {Term[]} */
  const terms = []
  for (const { name, path, depth, description, values } of fields.values()) {
    const share = BELOW ** depth
    const why = `field ${path} of the ${of}`
    terms.push({ text: name, weight: (isSent ? WEIGHT.field : WEIGHT.answerField) * share, why })
    if (isSent) terms.push({ text: description, weight: WEIGHT.text * share, why })
    const weight = (isSent ? WEIGHT.value : WEIGHT.answerValue) * share
    for (const text of values) terms.push({ text, weight, why: `${path}: ${text}` })
  }
  return terms
}

/**
 * @param {import('../model.js').Model['groups'][number]} group
 * @returns {Entry}
 */
function groupEntry({ tag, description = '', operations }) {
  return {
    href: `#tag/${tag}`,
    title: tag,
    detail: `group of ${operations.length}`,
    terms: [
      { text: tag, weight: WEIGHT.group },
      { text: description, weight: WEIGHT.text, why: description },
    ],
  }
}

/**
 * @param {import('../model.js').WebhookEvent} event
 * @param {FieldsOf} fieldsOf
 * @returns {Entry}
 */
function eventEntry({ name, title, description = '', schema }, fieldsOf) {
  const fields = fieldsOf.response(schema)
  return {
    href: `#webhooks/${name}`,
    title,
    detail: 'webhook event',
    terms: [
      { text: name, weight: WEIGHT.code, whole: true },
      { text: name, weight: WEIGHT.codeWord },
      { text: description, weight: WEIGHT.text, why: description },
      { text: 'webhook event', weight: WEIGHT.text },
      ...[...fields.values()].map((field) => ({
        text: field.name,
        weight: WEIGHT.answerValue,
        why: `field ${field.path} of the event`,
      })),
    ],
  }
}

/**
 * @param {import('../model.js').ErrorEntry} error
 * @returns {Entry}
 */
function errorEntry({ code, status, message, reasons = {} }) {
  return {
    href: `#errors/${code}`,
    title: code,
    detail: `error ${status}`,
    terms: [
      { text: code, weight: WEIGHT.code, whole: true },
      { text: code, weight: WEIGHT.codeWord },
      { text: `error ${status}`, weight: WEIGHT.text },
      { text: message, weight: WEIGHT.text, why: message },
      ...Object.entries(reasons).flatMap(([reason, meaning]) => [
        { text: reason, weight: WEIGHT.codeWord, why: reason },
        { text: meaning, weight: WEIGHT.text, why: meaning },
      ]),
    ],
  }
}

/**
 * The guide, and each of its sections.
 * @param {import('../guides/guide-text.js').Guide} guide
 * @returns {Entry[]}
 */
function guideEntries({ route, title, intro, sections }) {
  return [
    {
      href: `#${route}`,
      title,
      detail: 'guide',
      terms: [
        { text: title, weight: WEIGHT.guide },
        { text: intro, weight: WEIGHT.guideText },
      ],
    },
    ...sections.map((section) => ({
      href: `#${route}/${section.slug}`,
      title: section.title.replaceAll('`', ''),
      detail: `in ${title}`,
      terms: [
        { text: section.title, weight: WEIGHT.section },
        { text: section.text, weight: WEIGHT.guideText },
      ],
    })),
  ]
}

/**
 * @param {readonly string[]} words
 * @param {{ at: number, detail: string | undefined }} options the place among the targets, and what the entry is
 * @returns {Term[]}
 */
function synonymTerms(words, { at, detail }) {
  const weight = WEIGHT.synonym - at * SYNONYM_STEP
  return words.map((text) => {
    const why = [detail, `for “${text}”`].filter(Boolean).join(', ')
    return { text, weight, why, whole: true }
  })
}
