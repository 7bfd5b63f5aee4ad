;;; quaid.el --- The whole memory from Emacs  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: MIT

;;; Commentary:

;; `quaid-query' asks all pages of the memory, `quaid-open' opens one, and
;; `quaid-capture' puts something into the notebook.

;;; Code:

(require 'ai-kb-cli)
(require 'ai-kb-browse)

(defun quaid--ask (&rest words)
  "What `quaid' answers to WORDS, waiting for it."
  (ai-kb-data (ai-kb-wait ai-kb-quaid-program words)))

(defun quaid--insert-page (page)
  "Insert PAGE, an alist with slug and title, as a button that opens it."
  (let ((slug (if (alist-get 'collection page)
                  (format "%s::%s" (alist-get 'collection page) (alist-get 'slug page))
                (alist-get 'slug page))))
    (insert-text-button (or (alist-get 'title page) slug)
                        'follow-link t 'help-echo slug
                        'action (lambda (_button) (quaid-open slug)))))

;;;###autoload
(defun quaid-query (question)
  "Ask the whole memory QUESTION, by words and meaning."
  (interactive "sAsk the memory: ")
  (let ((pages (alist-get 'results (quaid--ask "query" "--depth" "summary" "--" question))))
    (if (null pages)
        (message "Nothing found")
      (with-current-buffer (get-buffer-create "*quaid*")
        (let ((inhibit-read-only t))
          (erase-buffer)
          (insert question "\n\n")
          (dolist (page pages)
            (quaid--insert-page page)
            (insert "  " (propertize (or (alist-get 'summary page) "") 'face 'shadow) "\n")))
        (ai-kb-list-mode)
        (goto-char (point-min))
        (forward-button 1 nil nil t)
        (pop-to-buffer (current-buffer))))))

(defun quaid--folder-of (page)
  "The folder of the collection of PAGE, an answer of `quaid get', or nil."
  (let ((folder (alist-get 'folder
                           (cl-find (alist-get 'collection page)
                                    (alist-get 'collections (quaid--ask "collection" "list"))
                                    :key (lambda (each) (alist-get 'name each)) :test #'equal))))
    (and (not (member folder '(nil ""))) folder)))

(defun quaid--file-of (page)
  "The file of PAGE, an answer of `quaid get', or nil if none is surely its own."
  (let* ((folder (quaid--folder-of page))
         (file (and folder
                    (cl-some (lambda (end)
                               (let ((each (expand-file-name (concat (alist-get 'slug page) end) folder)))
                                 (and (file-exists-p each) each)))
                             '(".org" ".md" ".markdown" ".txt")))))
    (and file (file-in-directory-p file folder) file)))

;;;###autoload
(defun quaid-open (slug)
  "Open the page SLUG: its file, or a copy to read if it has none."
  (interactive "sPage: ")
  (let* ((page (quaid--ask "get" slug)) (file (quaid--file-of page)))
    (if file
        (find-file file)
      (with-current-buffer (get-buffer-create (format "*quaid: %s*" slug))
        (let ((inhibit-read-only t))
          (erase-buffer)
          (insert (or (alist-get 'content page) "")))
        (if (fboundp 'markdown-mode) (markdown-mode) (text-mode))
        (view-mode 1)
        (goto-char (point-min))
        (pop-to-buffer (current-buffer))))))

;;;###autoload
(defun quaid-capture (text)
  "Remember TEXT, the region if there is one, in the notebook."
  (interactive (list (if (use-region-p)
                         (buffer-substring-no-properties (region-beginning) (region-end))
                       (read-string "Remember: "))))
  (let ((done (quaid--ask "remember" "--" text)))
    (message "quaid: %s" (or (alist-get 'file done) "remembered"))
    done))

(provide 'quaid)
;; Local Variables:
;; checkdoc-verb-check-experimental-flag: nil
;; End:
;;; quaid.el ends here
