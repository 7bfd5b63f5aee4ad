;;; ai-kb-db.el --- The database of org-roam, brought into step when it is stale  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: MIT

;;; Commentary:

;; The files are the truth, and the database of org-roam is a cache that takes
;; seconds to fill.  It is filled by an Emacs in the background, and only when
;; a file is newer.

;;; Code:

(require 'ai-kb-cli)
(require 'ai-kb-profile)

(defvar ai-kb-db-state nil
  "How the database is: nil (nobody has looked), `fresh', `syncing' or `failed'.")

(defvar ai-kb--db-process nil "The Emacs that fills the database.")

(defun ai-kb-db-stale-p ()
  "Whether the database is missing, or a file or the directory is newer."
  (let ((made (file-attribute-modification-time (file-attributes ai-kb-database))))
    (or (null made)
        (cl-some (lambda (each)
                   (and (not (string-prefix-p "." (file-name-nondirectory (car each))))
                        (time-less-p made (file-attribute-modification-time (cdr each)))))
                 (directory-files-and-attributes (ai-kb-root) nil "\\.org\\'" t))
        ;; A file that was removed leaves a trace in the directory alone.
        (time-less-p made (file-attribute-modification-time
                           (file-attributes (directory-file-name (ai-kb-root))))))))

(defun ai-kb--db-script ()
  "What the Emacs in the background runs."
  `(progn
     (setq load-path ',load-path)
     (require 'org-roam)
     (setq org-roam-directory ,(ai-kb-root)
           org-roam-db-location ,ai-kb-database
           org-roam-file-exclude-regexp ,(ai-kb-exclude-regexp)
           org-id-locations-file ,(concat ai-kb-database ".ids"))
     (org-roam-db-sync)))

;;;###autoload
(defun ai-kb-db-sync (&optional force)
  "Bring the database of org-roam into step with the files, in the background.
Nothing is done if it is in step, unless FORCE, the prefix argument, is given."
  (interactive "P")
  (cond
   ((process-live-p ai-kb--db-process)
    (message "ai-kb: syncing the database already"))
   ((not (locate-library "org-roam"))
    (when (called-interactively-p 'any)
      (user-error "The package org-roam is not installed")))
   ((or force (ai-kb-db-stale-p))
    (setq ai-kb-db-state 'syncing)
    (ai-kb--forget-connections)
    (setq ai-kb--db-process
          (make-process
           :name "ai-kb-db" :noquery t :connection-type 'pipe
           :buffer (with-current-buffer (get-buffer-create " *ai-kb-db*")
                     (erase-buffer)
                     (current-buffer))
           :command (list (expand-file-name invocation-name invocation-directory)
                          "--batch" "-Q" "--eval" (prin1-to-string (ai-kb--db-script)))
           :sentinel #'ai-kb--db-ended))
    ;; What is saved while it works is newer than what it has read.
    (process-put ai-kb--db-process 'started (current-time))
    (message "ai-kb: syncing the database…"))
   (t (setq ai-kb-db-state 'fresh)
      (when (called-interactively-p 'any)
        (message "ai-kb: the database is in step")))))

(defun ai-kb--db-ended (process _event)
  "Take notice that PROCESS has filled the database."
  (unless (process-live-p process)
    (let ((done (zerop (process-exit-status process))))
      (setq ai-kb-db-state (if done 'fresh 'failed))
      ;; What was opened meanwhile may have seen half of it.
      (ai-kb--forget-connections)
      (when (and done (file-exists-p ai-kb-database))
        (set-file-times ai-kb-database (process-get process 'started)))
      (message (if done "ai-kb: the database is in step"
                 "ai-kb: the database could not be filled; see the buffer \" *ai-kb-db*\"")))))

(provide 'ai-kb-db)
;; Local Variables:
;; checkdoc-verb-check-experimental-flag: nil
;; End:
;;; ai-kb-db.el ends here
