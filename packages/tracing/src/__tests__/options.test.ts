import assert from 'node:assert/strict'
import { isAgentError, parseOptions } from '@vidimus/core-types'
import { configuredDestination, Options, type TracingOptions } from '../options.js'

const destination = (options: TracingOptions) => configuredDestination(parseOptions(Options, options))

describe('trace destination', () => {
  const NOWHERE: Record<string, TracingOptions> = {
    'nothing is set': {},
    'everything is empty, as in a file of environment variables': {
      endpoint: '',
      exporter: '',
      headers: '',
      disabled: '',
    },
    'everything is null, as in agent.yml': {
      endpoint: null,
      tracesEndpoint: null,
      exporter: null,
      disabled: null,
    },
    'the exporter is "none"': { endpoint: 'http://c:4318', exporter: 'none' },
    'traces are switched off': { endpoint: 'http://c:4318', disabled: 'TRUE' },
    'only the name is set': { serviceName: 'x' },
  }
  for (const [why, options] of Object.entries(NOWHERE)) {
    it(`is undefined if ${why}`, () => assert.equal(destination(options), undefined))
  }

  const URLS: [TracingOptions, string][] = [
    [{ endpoint: 'http://c:4318' }, 'http://c:4318/v1/traces'],
    [{ endpoint: 'https://c/otel/' }, 'https://c/otel/v1/traces'],
    [{ endpoint: 'http://c:4318', tracesEndpoint: 'http://d/x' }, 'http://d/x'],
    [{ tracesEndpoint: 'http://d/' }, 'http://d/'],
    [{ exporter: 'otlp' }, 'http://localhost:4318/v1/traces'],
    [{ endpoint: 'http://c', disabled: 'no' }, 'http://c/v1/traces'],
    [{ endpoint: 'http://c', protocol: 'http/protobuf' }, 'http://c/v1/traces'],
  ]
  for (const [options, url] of URLS) {
    it(`is ${url} for ${JSON.stringify(options)}`, () => assert.equal(destination(options)?.url, url))
  }

  it('accepts headers in W3C Baggage format', () => {
    const headers = 'authorization=Basic%20YTpi%3D%3D, x-a = 1 ,,x-b=c=d'
    assert.deepEqual(destination({ exporter: 'otlp', headers })?.headers, {
      authorization: 'Basic YTpi==',
      'x-a': '1',
      'x-b': 'c=d',
    })
  })

  it('refuses all errors at once without repeating secrets', () => {
    const wrong = {
      endpoint: 'c:4317',
      tracesEndpoint: 'ftp://c',
      exporter: 'jaeger',
      protocol: 'grpc',
      headers: 'a=%0d%0asecret',
      unknown: 1,
    }
    assert.throws(
      () => destination(wrong),
      (error) => {
        assert.ok(isAgentError(error))
        assert.equal(error.code, 'invalid_configuration')
        assert.deepEqual(error.details.map(({ path }) => path).sort(), [
          '',
          'endpoint',
          'exporter',
          'headers',
          'protocol',
          'tracesEndpoint',
        ])
        assert.doesNotMatch(JSON.stringify(error.details), /secret/)
        return true
      },
    )
    for (const headers of ['novalue', '=x', 'a b=c', 'a=%']) {
      assert.throws(() => destination({ headers }), /headers/)
    }
  })
})
