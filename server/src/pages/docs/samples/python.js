/** A call in Python, with the standard library alone. */
import { IDEMPOTENCY_HEADER } from '../try-it/request.js'
import { literal, PYTHON } from './literal.js'
import { VARIABLES } from './call.js'

/** @param {import('./call.js').Call} call */
export function pythonSample(call) {
  const lines = [...credentialLines(call.operation.access), ...bodyLines(call)]
  return [
    ...modulesOf(call).map((name) => `import ${name}`),
    '',
    ...lines,
    ...(lines.length > 0 ? [''] : []),
    ...requestLines(call),
    'with urllib.request.urlopen(request) as response:',
    ...answerLines(call.operation),
  ].join('\n')
}

/** @param {import('./call.js').Call} call */
function modulesOf({ operation, body, parts }) {
  return [
    ...(operation.access === 'basic' ? ['base64'] : []),
    ...(body === undefined ? [] : ['json']),
    ...(operation.access === 'none' ? [] : ['os']),
    'urllib.request',
    ...(parts.length > 0 ? ['uuid'] : []),
  ]
}

/** @param {string} variable */
const fromEnvironment = (variable) => `os.environ["${variable}"]`

/** @param {import('../model.js').Operation['access']} access */
function credentialLines(access) {
  const { clientId, clientSecret, agentToken, operatorToken } = VARIABLES
  if (access === 'none') return []
  if (access !== 'basic') {
    const token = fromEnvironment(access === 'agent' ? agentToken : operatorToken)
    return [`authorization = "Bearer " + ${token}`]
  }
  return [
    `credentials = ${fromEnvironment(clientId)} + ":" + ${fromEnvironment(clientSecret)}`,
    'authorization = "Basic " + base64.b64encode(credentials.encode()).decode()',
  ]
}

/** @param {import('./call.js').Call} call */
function bodyLines({ body, parts }) {
  if (parts.length > 0) return formLines(parts)
  return body === undefined ? [] : [`body = ${literal(PYTHON, body)}`]
}

/** @param {[string, string | File][]} parts */
function formLines(parts) {
  return [
    'boundary = uuid.uuid4().hex',
    'form = b""',
    ...parts.flatMap(([name, value]) => {
      const isFile = value instanceof File
      const fileName = isFile ? `; filename="${value.name.split('/').at(-1)}"` : ''
      const type = isFile ? `Content-Type: ${value.type}\\r\\n` : ''
      const head = `Content-Disposition: form-data; name="${name}"${fileName}\\r\\n${type}`
      const content = isFile
        ? `open(${PYTHON.string(value.name)}, "rb").read()`
        : `${PYTHON.string(value)}.encode()`
      return [
        `form += f'--{boundary}\\r\\n${head}\\r\\n'.encode()`,
        `form += ${content} + b"\\r\\n"`,
      ]
    }),
    `form += f"--{boundary}--\\r\\n".encode()`,
  ]
}

/** @param {import('./call.js').Call} call */
function requestLines(call) {
  const { operation, url, body, parts } = call
  const data = parts.length > 0 ? ['form'] : body === undefined ? [] : ['json.dumps(body).encode()']
  const headers = headerTexts(call)
  return [
    'request = urllib.request.Request(',
    `    ${PYTHON.string(url)},`,
    `    method="${operation.method}",`,
    ...(headers.length > 0
      ? ['    headers={', ...headers.map((line) => `        ${line},`), '    },']
      : []),
    ...data.map((text) => `    data=${text},`),
    ')',
  ]
}

/** @param {import('./call.js').Call} call */
function headerTexts({ operation, headers, signature, idempotencyKey, body, parts }) {
  const form = `"multipart/form-data; boundary=" + boundary`
  const type = parts.length > 0 ? form : body === undefined ? undefined : '"application/json"'
  return [
    ...(operation.access === 'none' ? [] : ['"Authorization": authorization']),
    ...(type ? [`"Content-Type": ${type}`] : []),
    ...(idempotencyKey ? [`"${IDEMPOTENCY_HEADER}": ${PYTHON.string(idempotencyKey)}`] : []),
    ...signature.map(({ name, variable }) => `"${name}": ${fromEnvironment(variable)}`),
    ...Object.entries(headers).map(([name, value]) => `"${name}": ${PYTHON.string(value)}`),
  ]
}

/** @param {import('../model.js').Operation} operation */
function answerLines({ isStream, hasAnswer }) {
  if (isStream) return ['    for line in response:', '        print(line.decode(), end="")']
  return [hasAnswer ? '    print(response.read().decode())' : '    print(response.status)']
}
