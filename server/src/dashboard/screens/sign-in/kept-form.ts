/** A form that came when its session had ended: what was typed is kept for after the sign-in (OPER-138). */
import type { FastifyRequest } from 'fastify'
import { ownValue } from '../../../infra/work/own-value.ts'
import { html, type Html } from '../../../pages/html.ts'

/** The rest is of the page that the form was on. */
const isTyped = ([name]: readonly [string, string]): boolean => name !== 'formToken'

/** On the page that asks to sign in. Sent again, it is shown once more with what was typed, and only then done. */
export const keptForm = (address: string, typed: URLSearchParams): Html =>
  html`<form method="post" action="${address}">
    ${[...typed].filter(isTyped).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
    <p>What you typed is kept on this page: sign in <strong>in another tab</strong>, then go on.</p>
    <button class="good">Go on with the form</button>
  </form>`

const outdated = ownValue<FastifyRequest, true>('outdated form')

export const markOutdated = (request: FastifyRequest): void => outdated.set(request, true)

export const isFormOutdated = (request: FastifyRequest): boolean => outdated.get(request) === true

export const OUTDATED_FORM =
  'You have signed in again since you opened this form. Here it is as you filled it in: send it once more.'
