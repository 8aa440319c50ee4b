/** What the text of a setting may be: how it is read, and how a problem with it is worded. */
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { splitHosts } from '../db/connection/hosts.ts'
import { MASTER_KEY_FORM, parseMasterKeys } from '../../crypto/keyring.ts'
import { ROLES, type Role } from '../../kernel/access/operator.ts'

export type SettingKind<T> = Readonly<{
  /** For the table in the README. */
  label: string
  /** Completes the sentence "PORT must be …". */
  form: string
  /** Its value is never repeated in a message. */
  isSecret?: boolean
  /** Undefined when the text has another form. Relative paths start from `cwd`. */
  parse(text: string, cwd: string): T | undefined
}>

export function wholeNumber(range: { min: number; max: number }): SettingKind<number> {
  return {
    label: 'whole number',
    form: `a whole number from ${range.min} to ${range.max}`,
    parse(text) {
      const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
      return value >= range.min && value <= range.max ? value : undefined
    },
  }
}

export const port: SettingKind<number> = {
  ...wholeNumber({ min: 0, max: 65_535 }),
  label: 'port',
}

/** By its name Fastify would open a second server for `localhost`, on ::1, on which Node answers some requests by itself. */
export const host: SettingKind<string> = {
  label: 'address',
  form: 'an IP address or a host name',
  parse(text) {
    if (text === 'localhost') return '127.0.0.1'
    return isIP(text) !== 0 || /^[A-Za-z0-9._-]{1,253}$/.test(text) ? text : undefined
  },
}

export const domain: SettingKind<string> = {
  label: 'domain',
  form: 'a domain name in lower case',
  parse: (text) =>
    /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/.test(
      text,
    )
      ? text
      : undefined,
}

/** Without a trailing slash, so that paths can be appended. */
export const baseUrl: SettingKind<string> = {
  label: 'URL',
  form: 'an http or https address without credentials, query and fragment',
  parse(text) {
    const url = URL.parse(text)
    if (url === null || !/^https?:$/.test(url.protocol)) return undefined
    if (/[?#]/.test(text) || url.username !== '' || url.password !== '') return undefined
    return url.href.replace(/\/+$/, '')
  },
}

const isThisMachine = ({ hostname }: URL): boolean =>
  ['localhost', '127.0.0.1', '[::1]'].includes(hostname)

/** A scheme, a host and perhaps a port: pages behind it name each other from the root. */
export const ownOrigin: SettingKind<string> = {
  label: 'URL',
  form: 'an https address (http on this machine) without path, credentials, query and fragment',
  parse(text) {
    const url = URL.parse(text)
    if (url === null || url.username !== '' || url.password !== '') return undefined
    if (url.pathname !== '/' || /[?#]/.test(text)) return undefined
    const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && isThisMachine(url))
    return isSafe ? url.origin : undefined
  },
}

export const postgresUrl: SettingKind<string> = {
  label: 'URL',
  form: 'a PostgreSQL address (postgres://user:password@host:5432/database; several hosts are separated by commas)',
  isSecret: true,
  parse: (text) => (/^\S+$/.test(text) && splitHosts(text) !== undefined ? text : undefined),
}

export const smtpUrl: SettingKind<string> = {
  label: 'URL',
  form: 'the address of a mail server (smtps://user:password@host:465 or smtp://host:587)',
  isSecret: true,
  parse: (text) => (/^smtps?:\/\/\S+$/.test(text) && URL.canParse(text) ? text : undefined),
}

/** Credentials in it are sent as HTTP Basic. */
export const gatewayUrl: SettingKind<string> = {
  label: 'URL',
  form: 'an http or https address (https://user:password@host/path)',
  isSecret: true,
  parse: (text) => (/^https?:\/\/\S+$/.test(text) && URL.canParse(text) ? text : undefined),
}

export const emailAddress: SettingKind<string> = {
  label: 'e-mail address',
  form: 'an e-mail address, with or without a name (Acme Pay <no-reply@example.com>)',
  parse(text) {
    const [, address = text] = /^[^<>@\p{Cc}]+ <([^<>]+)>$/u.exec(text) ?? []
    return /^[^<>@\s]+@[^<>@\s]+$/.test(address) ? text : undefined
  },
}

export const path: SettingKind<string> = {
  label: 'path',
  form: 'a path',
  parse: (text, cwd) => (text.includes('\0') ? undefined : resolve(cwd, text)),
}

export const folder: SettingKind<string> = { ...path, label: 'folder' }

/** Secret, as people write passwords into commands. */
export const shellCommand: SettingKind<string> = {
  label: 'shell command',
  form: 'a command of the shell',
  isSecret: true,
  parse: (text) => (text.includes('\0') ? undefined : text),
}

/** Any text: a wrong secret is refused where it is used. */
export const secretText = (form: string): SettingKind<string> => ({
  label: 'secret',
  form,
  isSecret: true,
  parse: (text) => text,
})

export const masterKeys: SettingKind<string> = {
  label: 'secret',
  form: MASTER_KEY_FORM,
  isSecret: true,
  parse: (text) => (parseMasterKeys(text) === undefined ? undefined : text),
}

export const signingSecret: SettingKind<string> = {
  label: 'secret',
  form: '`whsec_` and 24 to 64 bytes in base64',
  isSecret: true,
  parse: (text) => (/^whsec_[A-Za-z0-9+/]{32,86}={0,2}$/.test(text) ? text : undefined),
}

export const brandWord: SettingKind<string> = {
  label: 'word',
  form: 'a capital letter and up to 31 letters and digits',
  parse: (text) => (/^[A-Z][A-Za-z0-9]{0,31}$/.test(text) ? text : undefined),
}

export const legalName: SettingKind<string> = {
  label: 'text',
  form: 'at most 100 characters without control characters',
  parse: (text) => (text.length <= 100 && !/\p{Cc}/u.test(text) ? text : undefined),
}

export function oneOf<const T extends string>(choices: readonly T[]): SettingKind<T> {
  return {
    label: choices.map((choice) => `\`${choice}\``).join(', '),
    form: `one of ${choices.join(', ')}`,
    parse: (text) => choices.find((choice) => choice === text),
  }
}

/** Cents, as in `USD:100000` for a thousand dollars. */
export const dollars: SettingKind<bigint> = {
  label: '`USD:` and cents',
  form: 'USD: and a whole number of cents, as USD:100000',
  parse: (text) => (/^USD:\d{1,15}$/.test(text) ? BigInt(text.slice('USD:'.length)) : undefined),
}

/** True for exactly this text; everything else is accepted and means false. */
export function flagFor(word: string): SettingKind<boolean> {
  return { label: `\`${word}\` or anything else`, form: 'any text', parse: (text) => text === word }
}

const listIn = (text: string): readonly string[] =>
  text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')

/** At least one, each of at least two labels; compared in lower case, and a repeated one counts once. */
export const domains: SettingKind<readonly string[]> = {
  label: 'list of domains',
  form: 'domain names of at least two labels separated by commas',
  parse(text) {
    const list = [...new Set(listIn(text.toLowerCase()))]
    const isValid = (one: string): boolean => one.includes('.') && domain.parse(one, '') === one
    return list.length > 0 && list.every(isValid) ? list : undefined
  },
}

/** Written as in tokens: a slash at the end is part of the name. */
export const issuers: SettingKind<readonly string[]> = {
  label: 'list of URLs',
  form: 'https addresses (http on this machine) separated by commas',
  parse(text) {
    const list = listIn(text)
    return list.every(isIssuer) ? list : undefined
  },
}

export const issuer: SettingKind<string> = {
  label: 'URL',
  form: 'an https address (http on this machine) without credentials, query and fragment',
  parse: (text) => (isIssuer(text) ? text : undefined),
}

/** What another service calls something: any text without blanks and control characters. */
export const foreignName: SettingKind<string> = {
  label: 'text',
  form: 'at most 255 characters without blanks',
  parse: (text) => (/^[^\s\p{Cc}]{1,255}$/u.test(text) ? text : undefined),
}

export const foreignNames: SettingKind<readonly string[]> = {
  label: 'list of texts',
  form: 'texts of at most 255 characters without blanks, separated by commas',
  parse(text) {
    const list = listIn(text)
    const isValid = list.every((one) => foreignName.parse(one, '') !== undefined)
    return isValid && list.length > 0 ? list : undefined
  },
}

/** Secret, as they carry keys. */
export const headers: SettingKind<Readonly<Record<string, string>>> = {
  label: 'secret',
  form: 'headers as name=value, separated by commas',
  isSecret: true,
  parse(text) {
    const list = listIn(text).map((one) => /^([\w-]+)=([\x20-\x7e]+)$/.exec(one))
    if (list.some((one) => one === null)) return undefined
    return Object.fromEntries(list.map((one) => [one?.[1] ?? '', one?.[2] ?? '']))
  },
}

export const share: SettingKind<number> = {
  label: 'number',
  form: 'a number from 0 to 1',
  parse: (text) => (/^(?:0|1|0?\.\d{1,9}|1\.0)$/.test(text) ? Number(text) : undefined),
}

/** Without `openid` an issuer answers no ID token. */
export const oidcScopes: SettingKind<readonly string[]> = {
  label: 'list of words',
  form: 'words separated by blanks, openid among them',
  parse(text) {
    const list = text.split(/\s+/)
    return list.includes('openid') ? list : undefined
  },
}

export type GroupRoles = Readonly<{ group: string; roles: readonly Role[] }>

/** The last `=` separates: the name of a group may hold others. */
export const groupRoles: SettingKind<readonly GroupRoles[]> = {
  label: 'list',
  form: `groups with roles of ${ROLES.join(', ')} (pay-admins=ADMIN,pay-ops=TREASURER+REVIEWER)`,
  parse(text) {
    const list = listIn(text).map(parseGroupRoles)
    return list.every((one) => one !== undefined) ? list : undefined
  },
}

function parseGroupRoles(text: string): GroupRoles | undefined {
  const at = text.lastIndexOf('=')
  const [group, names] = [text.slice(0, at).trim(), text.slice(at + 1).split('+')]
  const roles = ROLES.filter((role) => names.some((name) => name.trim() === role))
  return at > 0 && group !== '' && roles.length === names.length ? { group, roles } : undefined
}

export const addressRanges: SettingKind<readonly string[]> = {
  label: 'list of addresses',
  form: 'IP addresses or ranges of at least one bit (10.0.0.0/8) separated by commas',
  parse(text) {
    const list = listIn(text)
    return list.every(isAddressRange) ? list : undefined
  },
}

/** Without a bit it would be everybody, who could then say to come from anywhere. */
function isAddressRange(text: string): boolean {
  const [address = '', bits = '1', ...more] = text.split('/')
  const bitsMax = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0
  return more.length === 0 && wholeNumber({ min: 1, max: bitsMax }).parse(bits, '') !== undefined
}

function isIssuer(text: string): boolean {
  const url = URL.parse(text)
  if (url === null || /[?#\s]/.test(text) || url.username !== '' || url.password !== '')
    return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && isThisMachine(url))
}
