/** The body of POST /oauth/token. The credentials can be in an Authorization header instead. */
export interface TokenRequest {
  /** Assumed name. */
  grant_type: 'client_credentials';
  /** The client id, unless a header carries it. */
  client_id?: string;
  /** The client secret, unless a header carries it. */
  client_secret?: string;
}

/** The response to POST /oauth/token. */
export interface TokenResponse {
  /** Sent as `Authorization: Bearer …`. */
  access_token: string;
  /** Seconds. */
  expires_in?: number;
}
