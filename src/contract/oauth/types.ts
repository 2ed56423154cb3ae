/** The body of POST /oauth/token. The credentials may be in an Authorization header instead. */
export interface TokenRequest {
  grant_type: 'client_credentials';
  client_id?: string;
  client_secret?: string;
}

/** The response to POST /oauth/token. */
export interface TokenResponse {
  access_token: string;
  /** Seconds. */
  expires_in?: number;
}
